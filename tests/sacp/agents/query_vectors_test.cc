// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the cases of query.jsonl: `op` query with registry, now and query; `op` register with
// registry and entry; each with the result or the verdict. A new case needs no C++.
#include <fstream>

#include "reference/ref_json.h"
#include "sacp/agents/registry.h"

namespace {

using accp_ref::Json;
using accp_ref::JsonKind;

double number_of(const Json &value) { return std::stod(value.text); }

// Scores may differ by 1e-6; all else must be equal.
void expect_answer(const Json &wanted, const Json &got) {
    ASSERT_EQ(wanted.items.size(), got.items.size());
    for (size_t i = 0; i < wanted.items.size(); ++i) {
        const Json &want = wanted.items[i], &have = got.items[i];
        EXPECT_EQ(want.members.size(), have.members.size());
        for (const char *member : {"agent_name", "match"})
            EXPECT_EQ(want.find(member)->text, have.find(member)->text);
        if (const Json *score = want.find("score")) {
            EXPECT_NEAR(number_of(*score), number_of(*have.find("score")), 1e-6);
        }
    }
}

void run(const Json &vector) {
    accp_unit::Room room;
    accp_unit::AgentRegistry registry(room.memory);
    EXPECT_EQ(registry.load(write_json(*vector.find("registry"))), "");
    const Json *verdict = vector.find("verdict");
    std::string code;
    if (verdict && verdict->find("code")) code = verdict->find("code")->text;
    if (vector.find("op")->text == "register") {
        EXPECT_EQ(registry.add(write_json(*vector.find("entry"))), code);
        return;
    }
    const Json *now = vector.find("now");
    const std::string said = registry.ask(write_json(*vector.find("query")),
                                          now ? number_of(*now) : accp::sacp::kNoClock);
    if (verdict) {
        EXPECT_EQ(said, code);
    } else {
        expect_answer(*vector.find("answer"), *accp_ref::parse_json(said));
    }
}

TEST(QueryVectors, All) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/sacp/agents/query.jsonl");
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) {
        const auto vector = accp_ref::parse_json(line);
        ASSERT_TRUE(vector) << line;
        SCOPED_TRACE(vector->find("name")->text);
        run(*vector);
    }
    EXPECT_GE(count, 32);
}

}  // namespace
