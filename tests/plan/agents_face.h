// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry of agents and a library through the C face, and what is said of plans.
#pragma once

#include "config.h"
#include "sacp_face.h"

namespace accp_test {

struct CloseAgents {
    void operator()(accp_capabilities *held) const { accp_capabilities_close(held); }
};

class Agents {
public:
    explicit Agents(const std::string &entries = "[]", const accp_config *config = nullptr) {
        accp_capabilities *made = nullptr;
        EXPECT_EQ(accp_capabilities_open(nullptr, config, &made, nullptr), ACCP_OK);
        agents_.reset(made);
        accp_error err = {};
        EXPECT_EQ(accp_capabilities_load(made, entries.data(), entries.size(), &err), ACCP_OK)
            << err.message << " in " << entries;
    }
    accp_capabilities *get() const { return agents_.get(); }

    std::string report(const Sacp &sacp, const std::string &message, int64_t now_ms = ACCP_NO_CLOCK,
                       int32_t reading = ACCP_SACP_STRICT) {
        accp_text out = {};
        accp_error err = {};
        EXPECT_EQ(accp_capabilities_check_plan(get(), sacp.get(), message.data(), message.size(),
                                               reading, now_ms, &answer, &out, &err),
                  ACCP_OK)
            << err.message;
        return to_string(out);
    }

    int32_t answer = -2;  // accp_feasibility, of the last report

private:
    std::unique_ptr<accp_capabilities, CloseAgents> agents_;
};

// An entry that can do these verbs with these tools; each a JSON list without its brackets.
inline std::string agent(const std::string &name, const std::string &verbs,
                         const std::string &tools, const std::string &more = "") {
    return R"({"agent_name":")" + name + R"(","supported_verbs":[)" + verbs +
           R"(],"supported_tools":[)" + tools + R"(],"inputs":[],"outputs":[],"description":"d")" +
           more + "}";
}

}  // namespace accp_test
