// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Creation of missing agents: the message that requests one (goal SPAWN_AGENT), and the reply of
// the service that creates agents. A request is for one agent; define may be absent if the library
// has the tool:
//
//   {"g":"SPAWN_AGENT","ctx":{"missing_capability":VERB,"input_hints":[…],"output_expectation":…},
//    "plan":[["define",TOOL,{"description":…,"inputs":[…],"outputs":…}],
//            ["instantiate",AGENT,{"tool":TOOL,"verb":VERB}]],"msg_id":ID}
//
//   {"g":"SPAWN_AGENT","plan":[…],"state":"DONE","msg_id":ID,"reply_to":ID,
//    "result":{"agent_name":AGENT,"registered":ENTRY,"prompt":TEXT}}
#pragma once

#include "sacp/agents/feasibility.h"

namespace accp::sacp {

// Appends the request for missing pair `number`. The agent's name differs from all registered
// agents and from those of the other requests. An empty msg_id is left out.
void write_spawn_request(const Feasibility::PlanContext &asked,
                         std::span<const Feasibility::Missing> missing, size_t number,
                         std::string_view msg_id, Buffer<char> &scratch, Buffer<char> &out);

// Reads a request and writes the entry and the reply.
class Spawner {
public:
    explicit Spawner(Memory &memory) : entry_(memory), text_(memory) {}

    // A message of version 0.1 that passed a strict check. All of it must outlive the Spawner's
    // calls.
    struct Request {
        value::TreeView tree;
        const Scopes *scopes;
        const Library *library;

        const Scope &message() const { return scopes->scopes[0]; }
    };
    // Checks that the request has the form above. Returns false with an error in `verdict`.
    bool read(const Request &request, Verdict &verdict);

    std::string_view name() const { return name_; }
    // Returns whether it is a dry run, which creates no agent.
    bool is_simulated() const;
    // Writes the agent's registry entry. lease_until: seconds, or infinity for no end.
    std::string_view write_entry(double lease_until);
    // After write_entry(): returns whether the registered agent has the same entry.
    bool is_same(const Capability &agent) const;
    // Refuses the step that names the agent; returns false.
    bool refuse_agent(Code code, const char *details, Verdict &verdict) {
        return refuse(code, details, instantiate_, verdict);
    }
    // After write_entry(): appends the reply.
    void write_confirmation(std::string_view msg_id, Buffer<char> &out);

private:
    bool find_steps(Verdict &verdict);
    bool check_texts(Verdict &verdict);
    bool check_lists(Verdict &verdict);
    bool check_tool(Verdict &verdict);
    bool refuse(Code code, const char *details, uint32_t part, Verdict &verdict);
    const Part &part(uint32_t i) const { return request_.scopes->parts[i]; }
    std::string_view tool_of(uint32_t part) const;
    uint32_t param(uint32_t part, NameId name) const;

    void write_names(value::TreeView tree, uint32_t node);

    Request request_ = {};
    uint32_t define_ = kNoPart, instantiate_ = kNoPart;
    std::string_view name_, tool_, verb_;
    Buffer<char> entry_, text_;
    size_t lease_offset_ = 0;  // bytes of entry_ before the lease or the closing brace
};

}  // namespace accp::sacp
