// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Agents that do steps of a plan. Each is a program that reads messages as frames, one per line,
// and replies the same way. It is started with its first call, and again after it has ended.
#pragma once

#include <functional>
#include <list>
#include <memory>

#include "cli/sacp/tool_calls.h"
#include "cli/sacp/wire.h"

namespace cli {

class Delegates {
public:
    using Report = std::function<void(const std::string &)>;

    // The agents of --agent, and the registry of --registry if it is given. `report`: receives
    // lines about faults of agents. Throws Failure.
    Delegates(const Arguments &arguments, size_t max_output, Report report);
    ~Delegates();

    // Sends a call to an agent. With a registry this is the first agent that it finds for the verb
    // and the tool; without one, the agent with the tool's name, or the first agent. Returns false
    // if no agent is found.
    bool call(PlanRun &run, const accp_run_effect &effect);
    // Drops a call that the run no longer waits for. Ends its agent if it has no other calls,
    // because it may hang.
    void stop(const PlanRun &run, uint64_t call);

    void add_poll_fds(std::vector<pollfd> &all) const;
    // Passes replies to the run, and fails the calls of agents that have ended.
    void process_io(PlanRun &run);
    // Reports how many more lines were ignored.
    void finish();

private:
    struct Agent {
        std::string name, command;
        std::unique_ptr<ShellProcess> process;
        std::string input, output;  // not written yet; not a whole line yet
        size_t calls = 0;           // without a reply
        uint64_t ignored_lines = 0;
    };
    struct Call {
        uint64_t number;
        uint32_t step, tries;  // of the step, before this call
        Agent *agent;
    };

    void open_registry(const Arguments &arguments);
    Agent *find(std::string_view verb, std::string_view tool);
    Agent *find_named(std::string_view name);
    int start(Agent &agent);
    void receive_lines(PlanRun &run, Agent &agent);
    void receive(PlanRun &run, Agent &agent, const std::string &line);
    void ignore_line(Agent &agent, const std::string &reason);
    void finish_answered_call(PlanRun &run, Agent &agent);
    void fail_calls(PlanRun &run, Agent &agent);
    void note_outcome(const Agent &agent, bool success);
    std::list<Call>::iterator erase(std::list<Call>::iterator call);

    std::list<Agent> agents_;
    std::list<Call> calls_;
    std::string sender_;
    SacpWire wire_;
    Report report_;
    Handle<accp_store> store_;
    Handle<accp_capabilities> registry_;
};

}  // namespace cli
