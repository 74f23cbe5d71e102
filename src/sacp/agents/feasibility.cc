// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The report as JSON:
//
//   {"feasible":BOOLEAN,"steps":[STEP,…]}
//   STEP = {"step":PATH,"verb":V,"tool":T,"by":"agent","agents":[NAME,…]}
//          {…,"by":"fallback","why":WHY,"near":[NAME,…],"fallback":[{"tool":T,"agents":[…]},…]}
//          {…,"by":"nobody","why":WHY,"near":[NAME,…]}
//          {…,"by":"message"} or {…,"by":"built_in"}
#include "sacp/agents/feasibility.h"

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

// Steps that the runner performs itself: nested messages and built-in verbs.
bool needs_no_agent(const Feasibility::PlanContext &plan, const Part &step) {
    if (step.subtask || step.verb == kDefine || step.verb == kInstantiate) return true;
    return step.verb == kJoin && Feasibility::tool_of(plan, step) == "MERGE" &&
           !plan.library.tool(kMerge);
}

constexpr std::string_view kReasonNames[] = {"", "no_verb", "no_tool", "lease_ended"};

void write_member(std::string_view key, std::string_view text, Buffer<char> &out) {
    out.append(",\"");
    out.append(key);
    out.append("\":");
    value::write_json_string(text, out);
}

}  // namespace

// The best kMaxShown agents, by confidence and then by name.
struct Feasibility::TopAgents {
    const Capability *agents[kMaxShown];
    uint32_t count = 0;
    uint64_t all = 0;

    void add(const Capability &agent) {
        ++all;
        uint32_t at = count;
        for (; at && comes_before(agent, *agents[at - 1]); --at)
            if (at < kMaxShown) agents[at] = agents[at - 1];
        if (at >= kMaxShown) return;
        agents[at] = &agent;
        count = std::min(count + 1, kMaxShown);
    }
    static bool comes_before(const Capability &a, const Capability &b) {
        return a.confidence != b.confidence ? a.confidence > b.confidence : a.name() < b.name();
    }
};

Feasibility::Feasibility(Memory &memory)
    : pairs_(memory),
      pair_index_(memory),
      steps_(memory),
      missing_(memory),
      shown_agents_(memory),
      fallbacks_(memory),
      seed_(random_seed()) {}

std::string_view Feasibility::verb_of(const PlanContext &plan, const Part &step) {
    return step.verb ? plan.library.text(step.verb) : plan.tree.string(step.node + 1);
}
std::string_view Feasibility::tool_of(const PlanContext &plan, const Part &step) {
    return plan.tree.string(plan.tree[step.node + 1].next);
}

bool Feasibility::evaluate(const PlanContext &plan, Verdict &verdict) {
    fallbacks_.recycle(kKeptBytes);
    pairs_.recycle(kKeptBytes);
    pair_index_.recycle(kKeptBytes);
    steps_.recycle(kKeptBytes);
    missing_.recycle(kKeptBytes);
    shown_agents_.recycle(kKeptBytes);
    const Scopes &scopes = plan.scopes;
    for (uint32_t i = 0; i < scopes.scopes.size(); ++i)
        for (uint32_t part = scopes.scopes[i].first; part < scopes.scopes[i].end; ++part)
            if (scopes.parts[part].kind == Part::kStep && !add_step(plan, i, part))
                return verdict.refuse(Code::kLIMIT,
                                      "a plan has more than 1024 different pairs of verb and tool");
    return true;
}

// Returns false if there are too many pairs.
bool Feasibility::add_step(const PlanContext &plan, uint32_t scope, uint32_t part) {
    const Part &step = plan.scopes.parts[part];
    if (needs_no_agent(plan, step)) {
        steps_.push({scope, part, kNoAgentNeeded});
        return true;
    }
    const uint32_t pair = find_pair(
        plan, step.verb == kJoin ? std::string_view() : verb_of(plan, step), tool_of(plan, step));
    if (pair == kNoAgentNeeded) return false;
    steps_.push({scope, part, pair});
    if (pairs_[pair].is_used_by_step) return true;
    pairs_[pair].is_used_by_step = true;
    if (pairs_[pair].able.all) return true;
    if (!find_fallbacks(plan, step, pair)) return false;
    if (!pairs_[pair].fallback_count) missing_.push({scope, part});
    return true;
}

uint64_t Feasibility::hash(std::string_view verb, std::string_view tool) const {
    return seeded_hash(verb.data(), verb.size(), seed_) +
           seeded_hash(tool.data(), tool.size(), seed_ + 1);
}

// Returns the number of the pair, or kNoAgentNeeded if there are too many pairs.
uint32_t Feasibility::find_pair(const PlanContext &plan, std::string_view verb,
                                std::string_view tool) {
    const auto hash_of = [this](uint64_t number) {
        return hash(pairs_[number - 1].verb, pairs_[number - 1].tool);
    };
    const uint64_t own = hash(verb, tool), found = pair_index_.find(own, [&](uint64_t number) {
        return pairs_[number - 1].verb == verb && pairs_[number - 1].tool == tool;
    });
    if (found) return static_cast<uint32_t>(found - 1);
    if (pairs_.size() == kMaxPairs) return kNoAgentNeeded;
    Pair made = {};
    made.verb = verb;
    made.tool = tool;
    find_agents(plan, made);
    pair_index_.reserve(1, hash_of);
    pairs_.push(made);
    pair_index_.add(own, pairs_.size());
    return static_cast<uint32_t>(pairs_.size() - 1);
}

void Feasibility::find_agents(const PlanContext &plan, Pair &pair) {
    TopAgents able, near, gone;
    const bool any_verb = pair.verb.empty();
    const NameList list = any_verb ? NameList::kTools : NameList::kVerbs;
    plan.agents.each_with(list, any_verb ? pair.tool : pair.verb, [&](const Capability &agent) {
        const bool has_tool = any_verb || agent.has(NameList::kTools, pair.tool);
        const bool is_expired = agent.is_expired(plan.now);
        if (has_tool) (is_expired ? gone : able).add(agent);
        else if (!is_expired) near.add(agent);
    });
    pair.able = store_agents(able);
    if (able.all) return;
    pair.near = store_agents(gone.all ? gone : near);
    pair.reason = gone.all               ? Reason::kLeaseEnded
                  : near.all || any_verb ? Reason::kNoTool
                                         : Reason::kNoVerb;
}

Feasibility::AgentList Feasibility::store_agents(const TopAgents &best) {
    const AgentList kept = {static_cast<uint32_t>(shown_agents_.size()), best.count, best.all};
    shown_agents_.append(best.agents, best.count);
    return kept;
}

// Collects the fallback tools that have an agent. Returns false if there are too many pairs.
bool Feasibility::find_fallbacks(const PlanContext &plan, const Part &step, uint32_t pair) {
    const Tool *tool = plan.library.tool(step.tool);
    const auto begin = static_cast<uint32_t>(fallbacks_.size());
    uint32_t count = 0;
    if (tool) {
        for (const NameId name : plan.library.names(tool->fallback)) {
            const Tool *other = plan.library.tool(name);
            if (!other || !plan.library.supports(*other, step.verb)) continue;
            const uint32_t made =
                find_pair(plan, pairs_[pair].verb, plan.library.text(other->name));
            if (made == kNoAgentNeeded) return false;
            if (!pairs_[made].able.all) continue;
            fallbacks_.push(made);
            if (++count == kMaxShown) break;
        }
    }
    pairs_[pair].fallbacks = begin;
    pairs_[pair].fallback_count = count;
    return true;
}

void Feasibility::write(const PlanContext &plan, Buffer<char> &out) const {
    out.append(feasible() ? R"({"feasible":true,"steps":[)" : R"({"feasible":false,"steps":[)");
    for (const Step &step : steps_) {
        if (&step != steps_.begin()) out.push(',');
        write_step(plan, step, out);
    }
    out.append("]}");
}

void Feasibility::write_step(const PlanContext &plan, const Step &step, Buffer<char> &out) const {
    const Part &part = plan.scopes.parts[step.part];
    out.append(R"({"step":")");
    plan.scopes.write_path(plan.scopes.scopes[step.scope], step.part, out);
    out.push('"');
    write_member("verb", verb_of(plan, part), out);
    write_member("tool", tool_of(plan, part), out);
    if (step.pair == kNoAgentNeeded) {
        write_member("by", part.subtask ? "message" : "built_in", out);
    } else if (const Pair &pair = pairs_[step.pair]; pair.able.all) {
        write_member("by", "agent", out);
        write_names("agents", pair.able, out);
    } else {
        write_missing_agent(pair, out);
    }
    out.push('}');
}

void Feasibility::write_missing_agent(const Pair &pair, Buffer<char> &out) const {
    write_member("by", pair.fallback_count ? "fallback" : "nobody", out);
    write_member("why", kReasonNames[static_cast<size_t>(pair.reason)], out);
    if (pair.near.all) write_names("near", pair.near, out);
    if (!pair.fallback_count) return;
    out.append(R"(,"fallback":[)");
    for (uint32_t i = 0; i < pair.fallback_count; ++i) {
        const Pair &other = pairs_[fallbacks_[pair.fallbacks + i]];
        out.append(i ? R"(,{"tool":)" : R"({"tool":)");
        value::write_json_string(other.tool, out);
        write_names("agents", other.able, out);
        out.push('}');
    }
    out.push(']');
}

// Writes the first names, and the number of the others as "more".
void Feasibility::write_names(std::string_view key, const AgentList &list,
                              Buffer<char> &out) const {
    out.append(",\"");
    out.append(key);
    out.append("\":[");
    for (uint32_t i = 0; i < list.count; ++i) {
        if (i) out.push(',');
        value::write_json_string(shown_agents_[list.begin + i]->name(), out);
    }
    out.push(']');
    if (list.all == list.count) return;
    out.append(R"(,"more":)");
    append_decimal(list.all - list.count, out);
}

}  // namespace accp::sacp
