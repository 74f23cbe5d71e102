// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A program that is one call of a tool: params as JSON on its standard input, its answer as JSON on
// its standard output.
#pragma once

#include "cli/process/shell_process.h"

namespace cli {

// Where it goes before it has ended, it is killed, and all in its group.
class ToolProcess {
public:
    ToolProcess(const std::string &command, std::string input,
                const std::vector<std::pair<std::string, std::string>> &environment,
                size_t max_output);

    int error() const { return process_.error(); }
    void add_to(std::vector<pollfd> &all) const { process_.add_to(all, process_.reads()); }
    // Has it said all, and not ended? Then nothing tells when it does.
    bool lingers() const { return process_.lives() && !process_.writes(); }
    // Reads and writes as far as that does not block. True: it has ended, or said too much.
    bool go_on();

    // After it has ended: the exit status, -1 where a signal ended it.
    int status() const { return process_.status(); }
    const std::string &output() const { return output_; }

private:
    ShellProcess process_;
    std::string input_;
    std::string output_;
    size_t written_ = 0;
    size_t max_output_;
};

}  // namespace cli
