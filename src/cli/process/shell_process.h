// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs a program through sh in its own process group, with non-blocking pipes to its standard input
// and from its standard output. Waits for such programs and for the signals that stop the command.
#pragma once

#include <poll.h>
#include <sys/types.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

class ShellProcess {
public:
    // Starts the program. `environment` has names and values to add to this process's environment.
    // If the start fails, error() returns errno.
    ShellProcess(const std::string &command,
                 const std::vector<std::pair<std::string, std::string>> &environment);
    ~ShellProcess();  // calls kill()
    ShellProcess(const ShellProcess &) = delete;
    ShellProcess &operator=(const ShellProcess &) = delete;

    int error() const { return error_; }
    bool lives() const { return child_ != 0; }  // true until the child has been reaped
    bool reads() const { return in_ >= 0; }     // its standard input is open
    bool writes() const { return out_ >= 0; }   // its standard output is open

    // Adds the file descriptors to poll for. Set has_input if there is text to write to it.
    void add_to(std::vector<pollfd> &all, bool has_input) const;
    // Writes as much of `text` as the pipe accepts and returns the number of bytes. If the program
    // has closed its input, reads() is false from then on.
    size_t write(std::string_view text);
    // Appends output to `to`, until `to` exceeds `max` bytes or no output is left.
    void read(std::string &to, size_t max);
    void close_input();
    void close_output();

    // Sends a signal to the process group.
    void signal(int number) const;
    // Kills the process group.
    void kill();
    // Sends SIGTERM to the process group and kills it after grace_ms milliseconds.
    void end(int64_t grace_ms);
    // Collects the exit status. Returns false if the program is still running.
    bool reap(bool waits = false);
    // Returns the exit status of a program that has ended, -1 if a signal killed it.
    int status() const { return status_; }

private:
    pid_t child_ = 0;  // 0 if it was never started or has been reaped
    int in_ = -1, out_ = -1;
    int error_ = 0;
    int status_ = -1;
};

// Quotes a word for a shell if it has to be.
std::string shell_word(const std::string &word);

constexpr int64_t kMaxWaitMs = 60'000;

// Blocks SIGINT and SIGTERM, except while wait_for() waits.
void handle_signals();
// Returns whether one of these signals has arrived.
bool interrupted();

// Waits until a file descriptor is ready, max_ms milliseconds (at most kMaxWaitMs) have passed, or
// a signal arrives.
void wait_for(std::vector<pollfd> &all, int64_t max_ms);

}  // namespace cli
