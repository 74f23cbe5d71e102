// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See feasibility.h. The report as JSON:
//
//   {"feasible":BOOLEAN,"steps":[STEP,…]}
//   STEP = {"step":PATH,"verb":V,"tool":T,"by":"agent","agents":[NAME,…]}
//          {…,"by":"fallback","why":WHY,"near":[NAME,…],"fallback":[{"tool":T,"agents":[…]},…]}
//          {…,"by":"nobody","why":WHY,"near":[NAME,…]}
//          {…,"by":"message"} or {…,"by":"built_in"}
#include "sacp/planner/feasibility.h"

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

constexpr std::string_view kWhy[] = {"", "no_verb", "no_tool", "lease_ended"};

void write_member(std::string_view key, std::string_view text, Buffer<char> &out) {
    out.append(",\"");
    out.append(key);
    out.append("\":");
    value::write_json_string(text, out);
}

}  // namespace

void Feasibility::write(const Asked &asked, Buffer<char> &out) const {
    out.append(feasible() ? R"({"feasible":true,"steps":[)" : R"({"feasible":false,"steps":[)");
    for (const Step &step : steps_) {
        if (&step != steps_.begin()) out.push(',');
        write_step(asked, step, out);
    }
    out.append("]}");
}

void Feasibility::write_step(const Asked &asked, const Step &step, Buffer<char> &out) const {
    const Part &part = asked.scopes.parts[step.part];
    out.append(R"({"step":")");
    asked.scopes.write_path(asked.scopes.scopes[step.scope], step.part, out);
    out.push('"');
    write_member("verb", verb_of(asked, part), out);
    write_member("tool", tool_of(asked, part), out);
    if (step.pair == kNobodyNeeded) {
        write_member("by", part.subtask ? "message" : "built_in", out);
    } else if (const Pair &pair = pairs_[step.pair]; pair.able.all) {
        write_member("by", "agent", out);
        write_names("agents", pair.able, out);
    } else {
        write_absence(pair, out);
    }
    out.push('}');
}

void Feasibility::write_absence(const Pair &pair, Buffer<char> &out) const {
    write_member("by", pair.fallback_count ? "fallback" : "nobody", out);
    write_member("why", kWhy[static_cast<size_t>(pair.why)], out);
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

// Those that are not shown are counted.
void Feasibility::write_names(std::string_view key, const List &list, Buffer<char> &out) const {
    out.append(",\"");
    out.append(key);
    out.append("\":[");
    for (uint32_t i = 0; i < list.count; ++i) {
        if (i) out.push(',');
        value::write_json_string(names_[list.begin + i]->name(), out);
    }
    out.push(']');
    if (list.all == list.count) return;
    out.append(R"(,"more":)");
    append_decimal(list.all - list.count, out);
}

}  // namespace accp::plan
