// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of tools. Each call runs a program, with the params as JSON on its standard input and the
// result as JSON on its standard output.
#pragma once

#include <list>
#include <map>

#include "cli/host.h"
#include "cli/process/shell_process.h"

namespace cli {

// Commands by name, from arguments of the form NAME=COMMAND. Throws Failure.
using Commands = std::map<std::string, std::string>;
Commands read_commands(const std::vector<std::string> &given, const char *option);

// The program of one call. The destructor kills it, with its process group, if it still runs.
class ToolProcess {
public:
    ToolProcess(const std::string &command, std::string input,
                const std::vector<std::pair<std::string, std::string>> &environment,
                size_t max_output);

    int error() const { return process_.error(); }
    void add_poll_fds(std::vector<pollfd> &all) const { process_.add_to(all, process_.reads()); }
    // True if it has closed its output but still runs: no file descriptor reports when it ends.
    bool lingers() const { return process_.lives() && !process_.writes(); }
    // Reads and writes without blocking. Returns true if it has ended or its output is too long.
    bool process_io();

    // After it has ended: the exit status, or -1 if a signal ended it.
    int status() const { return process_.status(); }
    const std::string &output() const { return output_; }

private:
    ShellProcess process_;
    std::string input_;
    std::string output_;
    size_t written_ = 0;
    size_t max_output_;
};

// The open calls of one run or of several.
class ToolCalls {
public:
    // Borrows `tools`.
    ToolCalls(const Commands &tools, size_t max_output) : tools_(tools), max_output_(max_output) {}

    bool has(std::string_view tool) const { return tools_.contains(std::string(tool)); }
    // Starts a call. The run must outlive it. `key`: the tool's ACCP_KEY. Fails the call in the run
    // if the tool does not exist or cannot be started.
    void call(PlanRun &run, const accp_run_effect &effect, std::string_view key);
    // Ends a call that the run no longer waits for.
    void stop(const PlanRun &run, uint64_t call);

    // Adds file descriptors, and lowers `max_ms` if a process must be checked sooner.
    void add_poll_fds(std::vector<pollfd> &all, int64_t &max_ms) const;
    // Passes the results of ended calls to their runs.
    void process_io();

private:
    struct Call {
        Call(PlanRun &by, const accp_run_effect &effect, const std::string &command,
             std::string_view key, size_t max_output);
        PlanRun *run;
        uint64_t number;
        ToolProcess process;
    };
    std::list<Call>::iterator finish(std::list<Call>::iterator call);

    const Commands &tools_;
    size_t max_output_;
    std::list<Call> calls_;
};

}  // namespace cli
