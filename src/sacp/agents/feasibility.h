// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Can a plan be carried out? For each of its steps the registered agents that can do it, or reason
// none can. A step asks for a pair: its verb and its tool. Steps of one pair have one answer, which
// is found once; pairs are bounded, so that no message makes the search long.
#pragma once

#include "sacp/agents/capabilities.h"
#include "sacp/library/library.h"
#include "sacp/message/scopes.h"

namespace accp::sacp {

constexpr uint32_t kMaxPairs =
    1024;                          // of verb and tool in one plan, tools to fall back on included
constexpr uint32_t kMaxShown = 8;  // names, and tools to fall back on, of one step

class Feasibility {
public:
    explicit Feasibility(Memory &memory);

    // A checked message, and whom it is given to. All stay until the last call about it.
    struct PlanContext {
        value::TreeView tree;
        const Scopes &scopes;
        const Library &library;
        const Capabilities &agents;
        double now;
    };
    // False, with a verdict: the plan has too many pairs.
    bool evaluate(const PlanContext &plan, Verdict &verdict);

    // Has every step somebody, for its tool or one that it falls back on?
    bool feasible() const { return missing_.empty(); }
    // Appends {"feasible":…,"steps":[…]}.
    void write(const PlanContext &plan, Buffer<char> &out) const;

    // What nobody can do: each pair once, at the first step that asks for it, in their order.
    struct Missing {
        uint32_t scope, part;
    };
    std::span<const Missing> missing() const { return {missing_.data(), missing_.size()}; }

    static std::string_view verb_of(const PlanContext &plan, const Part &step);
    static std::string_view tool_of(const PlanContext &plan, const Part &step);

private:
    enum class Reason : uint8_t { kNone, kNoVerb, kNoTool, kLeaseEnded };
    // Names in shown_agents_: those shown, and how many there are.
    struct AgentList {
        uint32_t begin, count;
        uint64_t all;
    };
    struct Pair {
        std::string_view verb, tool;  // no verb: whichever (a join hands its tool what it joined)
        Reason reason;
        bool is_used_by_step;                // by a step, not only as a fallback
        AgentList able, near;                // who can; who nearly can
        uint32_t fallbacks, fallback_count;  // in fallbacks_: pairs that somebody can do
    };
    struct Step {
        uint32_t scope, part, pair;  // pair: kNoAgentNeeded
    };
    static constexpr uint32_t kNoAgentNeeded = UINT32_MAX;
    struct TopAgents;

    bool add_step(const PlanContext &plan, uint32_t scope, uint32_t part);
    uint32_t find_pair(const PlanContext &plan, std::string_view verb, std::string_view tool);
    void find_agents(const PlanContext &plan, Pair &pair);
    bool find_fallbacks(const PlanContext &plan, const Part &step, uint32_t pair);
    AgentList store_names(const TopAgents &best);
    uint64_t hash(std::string_view verb, std::string_view tool) const;
    void write_step(const PlanContext &plan, const Step &step, Buffer<char> &out) const;
    void write_names(std::string_view key, const AgentList &list, Buffer<char> &out) const;
    void write_missing_agent(const Pair &pair, Buffer<char> &out) const;

    Buffer<Pair> pairs_;
    Slots pair_index_;  // one more than the number of each pair
    Buffer<Step> steps_;
    Buffer<Missing> missing_;
    Buffer<const Capability *> shown_agents_;
    Buffer<uint32_t> fallbacks_;
    uint64_t seed_;
};

}  // namespace accp::sacp
