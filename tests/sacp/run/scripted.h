// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by the tests of runs: texts of values, libraries from files, and runs with scripted tools
// (SACP-RULES R40).
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "sacp/run/run.h"
#include "unit.h"

namespace accp_test {

inline std::string read_file(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline std::string execute_path(const std::string &name) {
    return std::string(ACCP_SOURCE_DIR "/tests/sacp/run/") + name;
}

// The JSON of a node with the members of maps sorted by key.
inline std::string sorted_json(accp::value::TreeView tree, uint32_t node, accp::Memory &memory) {
    if (!accp::value::is_container(tree[node].kind)) {
        accp::Buffer<char> out(memory);
        accp::value::write_json(tree, node, out);
        return accp_unit::text_of(out);
    }
    const bool map = tree[node].kind == ACCP_MAP;
    std::map<std::string, std::string> members;
    std::string items;
    for (uint32_t i = node + 1; i < tree[node].next; i = tree[i].next) {
        const std::string own = sorted_json(tree, i, memory);
        if (map) members[std::string(tree.key(i))] = own;
        else items += (items.empty() ? "" : ",") + own;
    }
    for (const auto &[key, own] : members)
        items += (items.empty() ? "\"" : ",\"") + key + "\":" + own;
    return map ? "{" + items + "}" : "[" + items + "]";
}

struct Json {
    explicit Json(std::string_view text) : reader(memory), value(memory) {
        ok = reader.read(text.data(), text.size(), {UINT32_MAX, 512}, value).ok();
    }
    accp::value::TreeView tree() const { return value.view(); }
    uint32_t find(std::string_view key, uint32_t parent = 0) const {
        return tree().find(parent, key);
    }
    std::string json(uint32_t node) {
        accp::Buffer<char> out(memory);
        accp::value::write_json(tree(), node, out);
        return accp_unit::text_of(out);
    }
    std::string sorted(uint32_t node = 0) { return sorted_json(tree(), node, memory); }

    accp::Memory memory{accp::private_allocator(), UINT64_MAX};
    accp::value::JsonReader reader;
    accp::value::Value value;
    bool ok = false;
};

inline std::string sorted(std::string_view text) {
    Json json(text);
    EXPECT_TRUE(json.ok) << text;
    return json.ok ? json.sorted() : "not JSON: " + std::string(text);
}

// The outcomes of tools: one for each call of a name; the last one repeats.
class Script {
public:
    // `tools` is the node of {TOOL or TOOL@PATH:[OUTCOME…]}.
    Script(Json &json, uint32_t tools) : json_(json), tools_(tools) {}

    // Returns 0 if the tool is not implemented.
    uint32_t outcome(std::string_view tool, std::string_view path) {
        std::string name = std::string(tool) + "@" + std::string(path);
        uint32_t list = tools_ ? json_.find(name, tools_) : 0;
        if (!list) list = tools_ ? json_.find(name = tool, tools_) : 0;
        if (!list) return 0;
        const accp::value::TreeView tree = json_.tree();
        uint32_t node = list + 1;
        for (uint32_t i = calls_[name]++; i && tree[node].next < tree[list].next; --i)
            node = tree[node].next;
        return node;
    }

    // Passes the outcome of a call to a run.
    void answer(accp::sacp::Run &run, const accp::sacp::Effect &call, uint64_t now) {
        using accp::sacp::Outcome;
        const uint32_t node = outcome(call.tool, call.path), ok = node ? json_.find("ok", node) : 0;
        if (ok) run.complete(call.call, {}, json_.json(ok), now);
        else if (!node) run.fail(call.call, {}, Outcome::kNoAgent, {}, now);
        else if (json_.find("timeout", node)) run.tick(call.due);
        else run.fail(call.call, {}, Outcome::kToolFailed, "it says so", now);
    }

private:
    Json &json_;
    uint32_t tools_;
    std::map<std::string, uint32_t> calls_;
};

}  // namespace accp_test
