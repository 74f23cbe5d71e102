// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides whether the registered agents can carry out a plan: lists the able agents of each step,
// or the reason that there is none. A step needs a pair of a verb and a tool. Equal pairs are
// evaluated once, and their number is bounded, so that no message makes the search long.
#pragma once

#include "sacp/agents/capabilities.h"
#include "sacp/library/library.h"
#include "sacp/message/scopes.h"

namespace accp::sacp {

constexpr uint32_t kMaxPairs = 1024;  // verb and tool pairs of one plan, including fallback tools
constexpr uint32_t kMaxShown = 8;     // names, and fallback tools, of one step

class Feasibility {
public:
    explicit Feasibility(Memory &memory);

    // A checked message and the registry. All must outlive the last call that uses them.
    struct PlanContext {
        value::TreeView tree;
        const Scopes &scopes;
        const Library &library;
        const Capabilities &agents;
        double now;
    };
    // Returns false with a verdict if the plan has too many pairs.
    bool evaluate(const PlanContext &plan, Verdict &verdict);

    // Returns whether each step has an agent, for its own tool or for a fallback tool.
    bool feasible() const { return missing_.empty(); }
    // Appends {"feasible":…,"steps":[…]}.
    void write(const PlanContext &plan, Buffer<char> &out) const;

    // Pairs without an agent: each once, at the first step that needs it, in order of steps.
    struct Missing {
        uint32_t scope, part;
    };
    std::span<const Missing> missing() const { return {missing_.data(), missing_.size()}; }

    static std::string_view verb_of(const PlanContext &plan, const Part &step);
    static std::string_view tool_of(const PlanContext &plan, const Part &step);

private:
    enum class Reason : uint8_t { kNone, kNoVerb, kNoTool, kLeaseEnded };
    // The agents that are shown, in shown_agents_, and the number of all.
    struct AgentList {
        uint32_t begin, count;
        uint64_t all;
    };
    struct Pair {
        std::string_view verb, tool;  // an empty verb means any verb, as for a join
        Reason reason;
        bool is_used_by_step;                // not only as a fallback
        AgentList able, near;                // agents that can do it; agents that nearly can
        uint32_t fallbacks, fallback_count;  // in fallbacks_: pairs that have an agent
    };
    struct Step {
        uint32_t scope, part, pair;  // pair: kNoAgentNeeded for built-in steps
    };
    static constexpr uint32_t kNoAgentNeeded = UINT32_MAX;
    struct TopAgents;

    bool add_step(const PlanContext &plan, uint32_t scope, uint32_t part);
    uint32_t find_pair(const PlanContext &plan, std::string_view verb, std::string_view tool);
    void find_agents(const PlanContext &plan, Pair &pair);
    bool find_fallbacks(const PlanContext &plan, const Part &step, uint32_t pair);
    AgentList store_agents(const TopAgents &best);
    uint64_t hash(std::string_view verb, std::string_view tool) const;
    void write_step(const PlanContext &plan, const Step &step, Buffer<char> &out) const;
    void write_names(std::string_view key, const AgentList &list, Buffer<char> &out) const;
    void write_missing_agent(const Pair &pair, Buffer<char> &out) const;

    Buffer<Pair> pairs_;
    Slots pair_index_;  // pair numbers plus 1
    Buffer<Step> steps_;
    Buffer<Missing> missing_;
    Buffer<const Capability *> shown_agents_;
    Buffer<uint32_t> fallbacks_;
    uint64_t seed_;
};

}  // namespace accp::sacp
