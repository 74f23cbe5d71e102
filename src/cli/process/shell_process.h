// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A program that sh runs in a process group of its own, with pipes to its standard input and from
// its standard output, of which nothing blocks.
#pragma once

#include <poll.h>
#include <sys/types.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

class ShellProcess {
public:
    // Starts it. environment: names and values, beside this process' own. error(): errno, where it
    // could not be started.
    ShellProcess(const std::string &command,
                 const std::vector<std::pair<std::string, std::string>> &environment);
    ~ShellProcess();  // as kill()
    ShellProcess(const ShellProcess &) = delete;
    ShellProcess &operator=(const ShellProcess &) = delete;

    int error() const { return error_; }
    bool lives() const { return child_ != 0; }  // or was not waited for yet
    bool reads() const { return in_ >= 0; }
    bool writes() const { return out_ >= 0; }

    // What is to be polled for; `has_input`: there is something that it has not read.
    void add_to(std::vector<pollfd> &all, bool has_input) const;
    // How much of `text` it took. It need not read all: then it no longer reads().
    size_t write(std::string_view text);
    // Appends what it says, until `to` has more than `max` bytes or it no longer writes().
    void read(std::string &to, size_t max);
    void close_input();
    void close_output();

    // To all in its group.
    void signal(int number) const;
    // Ends it, and all in its group.
    void kill();
    // Asks it to end, and ends it where it has not after so long.
    void end(int64_t grace_ms);
    // False: it goes on.
    bool reap(bool waits = false);
    // After it has ended: the exit status, -1 where a signal ended it.
    int status() const { return status_; }

private:
    pid_t child_ = 0;  // 0: there is none, or it was waited for
    int in_ = -1, out_ = -1;
    int error_ = 0;
    int status_ = -1;
};

}  // namespace cli
