// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A program that is one call of a tool: params as JSON on its standard input, its answer as JSON on
// its standard output, of which nothing blocks. It is run by sh, in a process group of its own.
#pragma once

#include <poll.h>
#include <sys/types.h>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cli {

class ToolProcess {
public:
    // Starts it. environment: names and values, beside this process' own. error(): it could not be
    // started.
    ToolProcess(const std::string &command, std::string input,
                const std::vector<std::pair<std::string, std::string>> &environment,
                size_t max_output);
    ~ToolProcess();  // kills it, and all in its group, where it has not ended
    ToolProcess(const ToolProcess &) = delete;
    ToolProcess &operator=(const ToolProcess &) = delete;

    int error() const { return error_; }

    // What is to be polled for.
    void add_to(std::vector<pollfd> &all) const;
    // Has it said all, and not ended? Then nothing tells when it does.
    bool lingers() const { return child_ && out_ < 0; }
    // Reads and writes as far as that does not block. True: it has ended, or said too much.
    bool go_on();

    // After it has ended: the exit status, -1 where a signal ended it.
    int status() const { return status_; }
    const std::string &output() const { return output_; }

private:
    void write_input();
    bool read_output();
    void stop();
    bool reap(bool waits);

    std::string input_;
    std::string output_;
    size_t written_ = 0;
    size_t max_output_;
    pid_t child_ = 0;  // 0: there is none, or it was waited for
    int in_ = -1, out_ = -1;
    int error_ = 0;
    int status_ = -1;
};

}  // namespace cli
