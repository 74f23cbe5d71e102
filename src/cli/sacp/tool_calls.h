// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of tools that go on, each a program: of one run or of several.
#pragma once

#include <list>
#include <map>

#include "cli/host.h"
#include "cli/sacp/tool_process.h"

namespace cli {

// Names and commands, of arguments NAME=COMMAND. Throws Failure.
using Commands = std::map<std::string, std::string>;
Commands read_commands(const std::vector<std::string> &given, const char *option);

class ToolCalls {
public:
    // The tools stay.
    ToolCalls(const Commands &tools, size_t max_output) : tools_(tools), max_output_(max_output) {}

    bool has(std::string_view tool) const { return tools_.contains(std::string(tool)); }
    // Begins a call, of a run that stays until it has ended; `key`: what the tool gets as ACCP_KEY.
    // Of a tool that there is not, and of one that cannot be started, the run is told.
    void call(PlanRun &run, const accp_run_effect &effect, std::string_view key);
    // Nobody waits for it any more.
    void stop(const PlanRun &run, uint64_t call);

    // What is to be polled for, and for how long at most.
    void add_to(std::vector<pollfd> &all, int64_t &max_ms) const;
    // Tells the runs what came of those that have ended.
    void go_on();

private:
    struct Call {
        Call(PlanRun &by, const accp_run_effect &effect, const std::string &command,
             std::string_view key, size_t max_output);
        PlanRun *run;
        uint64_t number;
        ToolProcess process;
    };
    std::list<Call>::iterator answer(std::list<Call>::iterator call);

    const Commands &tools_;
    size_t max_output_;
    std::list<Call> calls_;
};

}  // namespace cli
