// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry of agents and a library through the C interface, and reports on plans.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "config.h"
#include "sacp/message/sacp_face.h"

namespace accp_test {

struct CloseAgents {
    void operator()(accp_capabilities *held) const { accp_capabilities_close(held); }
};

class Agents {
public:
    explicit Agents(const std::string &entries = "[]", const accp_config *config = nullptr,
                    accp_store *store = nullptr) {
        accp_capabilities *made = nullptr;
        EXPECT_EQ(accp_capabilities_open(store, config, &made, nullptr), ACCP_OK);
        agents_.reset(made);
        accp_error err = {};
        EXPECT_EQ(accp_capabilities_register_all(made, entries.data(), entries.size(), &err),
                  ACCP_OK)
            << err.message << " in " << entries;
    }
    accp_capabilities *get() const { return agents_.get(); }

    std::string report(const Sacp &sacp, const std::string &message, int64_t now_ms = ACCP_NO_CLOCK,
                       int32_t reading = ACCP_SACP_STRICT) {
        accp_text out = {};
        accp_error err = {};
        EXPECT_EQ(accp_capabilities_check_plan(get(), sacp.get(), message.data(), message.size(),
                                               now_ms, reading, &out, &answer, &err),
                  ACCP_OK)
            << err.message;
        return to_string(out);
    }

    // The requests for missing agents, or the error.
    std::string request(const Sacp &sacp, const std::string &message,
                        const accp_spawn_round *round = nullptr, int64_t now_ms = ACCP_NO_CLOCK,
                        int32_t reading = ACCP_SACP_STRICT) {
        accp_text out = {};
        accp_error err = {};
        EXPECT_EQ(
            accp_capabilities_request_agents(get(), sacp.get(), message.data(), message.size(),
                                             now_ms, reading, round, &out, &answer, &err),
            ACCP_OK)
            << err.message;
        return to_string(out);
    }
    // The reply of a service that creates agents.
    std::string spawn(const Sacp &sacp, const std::string &request, const accp_spawn_rules &rules) {
        accp_text out = {};
        accp_error err = {};
        EXPECT_EQ(accp_capabilities_spawn(get(), sacp.get(), request.data(), request.size(), &rules,
                                          &out, &err),
                  ACCP_OK)
            << err.message;
        return to_string(out);
    }
    uint64_t count() const { return accp_capabilities_count(get()); }
    std::string document() {
        accp_text out = {};
        EXPECT_EQ(accp_capabilities_print(get(), &out, nullptr), ACCP_OK);
        return to_string(out);
    }

    int32_t answer = -2;  // accp_feasibility or accp_spawn_answer of the last call

private:
    std::unique_ptr<accp_capabilities, CloseAgents> agents_;
};

inline std::vector<std::string> lines(const std::string &text) {
    std::vector<std::string> all;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        all.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

// An allocator that fails after `left` allocations; never if that is negative.
struct FailingMemory {
    int64_t left = -1;
    static void *take(size_t size, void *user) {
        int64_t &left = static_cast<FailingMemory *>(user)->left;
        return left >= 0 && left-- == 0 ? nullptr : std::malloc(size);
    }
    static void give(void *memory, size_t, void *) { std::free(memory); }
    accp_allocator allocator() { return {take, give, this}; }
};

// An entry with these verbs and tools. Each is the inside of a JSON list.
inline std::string agent(const std::string &name, const std::string &verbs,
                         const std::string &tools, const std::string &more = "") {
    return R"({"agent_name":")" + name + R"(","supported_verbs":[)" + verbs +
           R"(],"supported_tools":[)" + tools + R"(],"inputs":[],"outputs":[],"description":"d")" +
           more + "}";
}

}  // namespace accp_test
