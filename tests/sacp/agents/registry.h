// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry of agents with JSON texts as input and output.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sacp/agents/capabilities.h"
#include "unit.h"

namespace accp_unit {

struct AgentRegistry {
    explicit AgentRegistry(accp::Memory &from)
        : memory(from), reader(from), value(from), agents(from), verdict(from), found(from) {}

    // Registers an entry. Returns an empty text, or the error code.
    std::string add(const std::string &json) {
        verdict.clear();
        read(json);
        return agents.add(value.view(), 0, verdict) ? "" : code();
    }
    std::string load(const std::string &json) {
        verdict.clear();
        read(json);
        const accp::value::TreeView tree = value.view();
        if (tree[0].kind != ACCP_ARRAY) return "no list";
        for (uint32_t i = 1; i < tree[0].next; i = tree[i].next)
            if (!agents.add(tree, i, verdict)) return code();
        return "";
    }
    // Returns the matches as JSON, or the error code.
    std::string ask(const std::string &json, double now = accp::sacp::kNoClock,
                    uint32_t ranking = 0) {
        verdict.clear();
        read(json);
        if (!query.read(value.view(), 0, verdict)) return code();
        agents.find(query, now, ranking, found);
        accp::Buffer<char> out(memory);
        accp::sacp::write_matches(found, out);
        return text_of(out);
    }
    // Returns the names of the matches, separated by spaces.
    std::string names(const std::string &json, double now = accp::sacp::kNoClock,
                      uint32_t ranking = 0) {
        const std::string said = ask(json, now, ranking);
        if (said.empty() || said[0] != '[') return said;
        std::string all;
        for (const accp::sacp::FoundAgent &each : found)
            all += (all.empty() ? "" : " ") + std::string(each.agent->name());
        return all;
    }
    std::string document() {
        accp::Buffer<char> out(memory);
        accp::sacp::write_entries(agents, memory, out);
        return text_of(out);
    }
    std::string code() const { return std::string(accp::sacp::code_name(verdict.code())); }

    accp::Memory &memory;
    accp::value::JsonReader reader;
    accp::value::Value value;
    accp::sacp::Capabilities agents;
    accp::sacp::CapabilityQuery query;
    accp::sacp::Verdict verdict;
    accp::Buffer<accp::sacp::FoundAgent> found;

private:
    void read(const std::string &json) {
        // a reader may read beyond the end of a text
        const Padded padded(json);
        ASSERT_TRUE(reader.read(padded.view().data(), json.size(), {1 << 24, 128}, value).ok())
            << json;
    }
};

// An entry with all required members, followed by `more`.
inline std::string entry(const std::string &name, const std::string &more = "") {
    return R"({"agent_name":")" + name +
           R"(","supported_verbs":["v"],"supported_tools":["T"],"inputs":["ctx.i"],)"
           R"("outputs":["o"],"description":"d")" +
           (more.empty() ? "" : "," + more) + "}";
}

}  // namespace accp_unit
