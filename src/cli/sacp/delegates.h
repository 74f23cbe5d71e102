// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Agents that do steps of a plan: programs that are sent messages as frames, a line each, and reply
// so. Each is started with its first call, and again where it has ended.
#pragma once

#include <functional>
#include <list>

#include "cli/sacp/wire.h"
#include "cli/sacp/tool_calls.h"

namespace cli {

class Delegates {
public:
    using Say = std::function<void(const std::string &)>;

    // --agent, and --registry where it is given. `say`: is told what an agent did wrong. Throws
    // Failure.
    Delegates(const Arguments &arguments, size_t max_output, Say say);
    ~Delegates();

    // Sends a call to who can do it: of a registry the first that it finds for the verb and the
    // tool, else the agent of the tool's name, else the first. False: nobody can.
    bool call(PlanRun &run, const accp_run_effect &effect);
    // Nobody waits for it any more. An agent that has nothing else to do is ended: it may hang.
    void stop(const PlanRun &run, uint64_t call);

    void add_to(std::vector<pollfd> &all) const;
    // Tells the run what came, and what will not come any more.
    void go_on(PlanRun &run);
    // Says how many more lines were passed over.
    void finish();

private:
    struct Agent {
        std::string name, command;
        std::unique_ptr<ShellProcess> process;
        std::string input, output;  // not written yet, not a line yet
        size_t calls = 0;           // that go on
        uint64_t passed_over = 0;   // lines
    };
    struct Call {
        uint64_t number;
        uint32_t step, tries;  // of the step, before this one
        Agent *agent;
    };

    void read_registry(const Arguments &arguments);
    Agent *find(std::string_view verb, std::string_view tool);
    Agent *find_named(std::string_view name);
    int start(Agent &agent);
    void take_lines(PlanRun &run, Agent &agent);
    void receive(PlanRun &run, Agent &agent, const std::string &line);
    void pass_over(Agent &agent, const std::string &why);
    void settle(PlanRun &run, Agent &agent);
    void lose(PlanRun &run, Agent &agent);
    void note(const Agent &agent, bool success);
    std::list<Call>::iterator erase(std::list<Call>::iterator call);

    std::list<Agent> agents_;
    std::list<Call> calls_;
    std::string speaker_;
    SacpWire wire_;
    Say say_;
    Handle<accp_store> store_;
    Handle<accp_capabilities> registry_;
};

}  // namespace cli
