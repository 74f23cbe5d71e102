// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// sync:state: the payload of a change, and its effect on the other side.
#include "session/shared_state.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "base/sha256.h"
#include "value/json_writer.h"

namespace {

class Side {
public:
    accp::Status apply(const std::string &payload) {
        accp::Status status = reader.read(payload.data(), payload.size(), {1 << 26, 64}, value);
        EXPECT_TRUE(status.ok()) << status.message << payload;
        status = state.apply(value.view(), 0, accp::kMaxJump, scratch);
        if (status.ok()) state.take(false);
        return status;
    }
    std::string change(const std::string &next, bool merge, bool *any = nullptr) {
        accp::Status status = reader.read(next.data(), next.size(), {1 << 26, 64}, value);
        EXPECT_TRUE(status.ok()) << status.message << next;
        accp::Buffer<char> out(memory);
        bool changed = false;
        status = state.write_change(value.view(), 0, merge, scratch, out, changed);
        if (any) *any = changed;
        return status.ok() ? std::string(out.data(), out.size())
                           : "E" + std::to_string(status.code);
    }
    std::string json() const { return std::string(state.json()); }

    accp::Memory memory{accp::private_allocator(), 1 << 28};
    accp::session::SharedState state{memory};
    accp::session::SharedState::Scratch scratch{memory};
    accp::value::JsonReader reader{memory};
    accp::value::Value value{memory};
};

struct Step {
    const char *name, *before, *payload, *after;
    accp_status status;
};

TEST(SharedState, WhatAPayloadDoes) {
    const Step kSteps[] = {
        {"ACCP-5.4-02 set and remove", R"({"a":1,"b":2})",
         R"({"version":2,"delta":{"b":null,"c":[3]}})", R"({"a":1,"c":[3]})", ACCP_OK},
        {"removing what is not there", R"({"a":1})", R"({"version":2,"delta":{"z":null}})",
         R"({"a":1})", ACCP_OK},
        {"A36 shallow", R"({"a":{"x":1,"y":2}})", R"({"version":2,"delta":{"a":{"x":3}}})",
         R"({"a":{"x":3}})", ACCP_OK},
        {"A36 a real null", R"({"a":1,"b":2})", R"({"version":2,"delta":{"a":null},"rm":["b"]})",
         R"({"a":null})", ACCP_OK},
        {"merge", R"({"a":{"x":1,"y":2}})", R"({"version":2,"merge":{"a":{"x":3,"y":null,"z":4}}})",
         R"({"a":{"x":3,"z":4}})", ACCP_OK},
        {"merge makes a row", R"({})", R"({"version":2,"merge":{"a":{"x":3,"y":null}}})",
         R"({"a":{"x":3}})", ACCP_OK},
        {"whole", R"({"a":1})", R"({"version":9,"state":{"b":2}})", R"({"b":2})", ACCP_OK},
        {"whole, of this version", R"({"a":1})", R"({"version":1,"state":{"b":2}})", R"({"b":2})",
         ACCP_OK},
        {"a version too far", R"({"a":1})", R"({"version":3,"delta":{}})", R"({"a":1})",
         ACCP_E3003},
        {"a version again", R"({"a":1})", R"({"version":1,"delta":{}})", R"({"a":1})", ACCP_E3003},
        {"whole, but older", R"({"a":1})", R"({"version":0,"state":{}})", R"({"a":1})", ACCP_E1004},
        {"no version", R"({"a":1})", R"({"delta":{}})", R"({"a":1})", ACCP_E1004},
        {"a version in text", R"({"a":1})", R"({"version":"2","delta":{}})", R"({"a":1})",
         ACCP_E1004},
        {"nothing", R"({"a":1})", R"({"version":2})", R"({"a":1})", ACCP_E1004},
        {"both", R"({"a":1})", R"({"version":2,"state":{},"delta":{}})", R"({"a":1})", ACCP_E1004},
        {"no map", R"({"a":1})", R"({"version":2,"delta":[1]})", R"({"a":1})", ACCP_E1004},
        {"twice", R"({"a":1})", R"({"version":2,"delta":{"a":2},"rm":["a"]})", R"({"a":1})",
         ACCP_E1004},
        {"merge of no map", R"({"a":1})", R"({"version":2,"merge":{"a":{"x":1}}})", R"({"a":1})",
         ACCP_E1004},
        {"merge with no map", R"({"a":{}})", R"({"version":2,"merge":{"a":1}})", R"({"a":{}})",
         ACCP_E1004},
        {"a hash that does not hold", R"({"a":1})",
         R"({"version":2,"delta":{"a":2},"sh":"f0d5a17dbd13"})", R"({"a":1})", ACCP_E3003},
        {"the largest version", R"({"a":1})", R"({"version":9223372036854775807,"state":{}})",
         R"({"a":1})", ACCP_E1004},
    };
    for (const Step &step : kSteps) {
        Side side;
        ASSERT_TRUE(side.apply(std::string(R"({"version":1,"state":)") + step.before + "}").ok());
        EXPECT_EQ(side.apply(step.payload).code, step.status) << step.name;
        EXPECT_EQ(side.json(), step.after) << step.name;
        EXPECT_EQ(side.state.version() == 1,
                  step.status != ACCP_OK || step.name == std::string("whole, of this version"))
            << step.name;
    }
}

TEST(SharedState, TheHashThatIsGivenIsChecked) {
    accp::Digest good = accp::sha256(R"({"a":2})");
    for (size_t digits : {12u, 64u}) {
        Side side;
        ASSERT_TRUE(side.apply(R"({"version":1,"state":{"a":1}})").ok());
        EXPECT_TRUE(side.apply(R"({"version":2,"delta":{"a":2},"sh":")" +
                               std::string(good.first(digits)) + "\"}")
                        .ok());
    }
}

// ACCP-5.4-01: only what changed.
TEST(SharedState, OnlyChangesAreWritten) {
    Side side;
    EXPECT_EQ(side.change(R"({"a":1})", false), R"({"version":1,"state":{"a":1}})");
    ASSERT_TRUE(
        side.apply(
                R"({"version":1,"state":{"a":1,"b":{"x":1,"long":"a long text that stays"},"c":3}})")
            .ok());
    bool any = true;
    EXPECT_EQ(
        side.change(R"({"c":3.0,"b":{"long":"a long text that stays","x":1},"a":1})", true, &any),
        R"({"version":2,"delta":{}})");
    EXPECT_FALSE(any);
    EXPECT_EQ(
        side.change(R"({"a":2,"b":{"x":2,"long":"a long text that stays"}})", false),
        R"({"version":2,"delta":{"a":2,"b":{"x":2,"long":"a long text that stays"},"c":null}})");
    EXPECT_EQ(side.change(R"({"a":2,"b":{"x":2,"long":"a long text that stays"},"c":3})", true),
              R"({"version":2,"delta":{"a":2},"merge":{"b":{"x":2}}})");
    EXPECT_EQ(side.change(R"({"a":null,"b":{"x":2,"long":"a long text that stays"}})", true),
              R"({"version":2,"delta":{"a":null},"merge":{"b":{"x":2}},"rm":["c"]})");
}

std::string random_value(std::mt19937_64 &random, int depth) {
    switch (random() % (depth ? 7 : 5)) {
        case 0: return "null";
        case 1: return std::to_string(random() % 3);
        case 2: return "\"" + std::string(random() % 12, 'q') + "\"";
        case 3: return "true";
        case 4: return "[1," + std::to_string(random() % 3) + "]";
        default: break;
    }
    std::map<std::string, std::string> cells;
    for (uint64_t n = random() % 4; n; --n)
        cells[std::string(1, static_cast<char>('u' + random() % 4))] =
            random_value(random, depth - 1);
    std::string out = "{";
    for (auto &cell : cells)
        out += (out.size() > 1 ? ",\"" : "\"") + cell.first + "\":" + cell.second;
    return out + "}";
}

// ACCP-5.4-02: random edit scripts; after each, the other side's state is equal by its hash form.
TEST(SharedState, DeltasComeBackEqual) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        std::mt19937_64 random(seed);
        Side here, there;
        std::map<std::string, std::string> members;
        const bool merge = seed % 2;
        for (int step = 0; step < 30; ++step) {
            for (int edit = 0; edit < 3; ++edit) {
                std::string key = "k" + std::to_string(random() % 8);
                if (random() % 4 == 0) members.erase(key);
                else members[key] = random_value(random, 2);
            }
            std::string next = "{";
            for (auto &one : members)
                next += (next.size() > 1 ? ",\"" : "\"") + one.first + "\":" + one.second;
            next += "}";
            std::string payload = here.change(next, merge);
            ASSERT_TRUE(here.apply(payload).ok()) << payload;
            ASSERT_TRUE(there.apply(payload).ok()) << payload;
            accp::Buffer<char> wanted(here.memory), got(here.memory);
            auto hash_form = [&](const std::string &json, accp::Buffer<char> &out) {
                ASSERT_TRUE(
                    here.reader.read(json.data(), json.size(), {1 << 20, 64}, here.value).ok());
                ASSERT_TRUE(
                    accp::value::write_hash_form(here.value.view(), 0, here.scratch.arena, out)
                        .ok());
            };
            hash_form(next, wanted);
            hash_form(there.json(), got);
            ASSERT_EQ(std::string(got.data(), got.size()),
                      std::string(wanted.data(), wanted.size()))
                << payload;
        }
    }
}

// A delta must not be able to double the state repeatedly, and a refused delta changes nothing.
TEST(SharedState, DeltaBombs) {
    Side side;
    ASSERT_TRUE(side.apply(R"({"version":1,"state":{}})").ok());
    int64_t version = 1;
    std::string half(accp::kMaxSharedBytes / 3, 'x');
    for (int i = 0; i < 10; ++i) {
        std::string before = side.json();
        accp::Status status =
            side.apply("{\"version\":" + std::to_string(version + 1) + ",\"delta\":{\"k" +
                       std::to_string(i) + "\":\"" + half + "\"}}");
        if (status.ok()) {
            ++version;
            continue;
        }
        EXPECT_EQ(status.code, ACCP_E2003);
        EXPECT_EQ(side.json(), before);
    }
    EXPECT_EQ(version, 3);
    for (int i = 0; i < (ACCP_EMULATED ? 500 : 10'000); ++i)
        ASSERT_TRUE(
            side.apply("{\"version\":" + std::to_string(++version) + ",\"delta\":{\"k0\":1}}")
                .ok());
}

// A jump of versions is limited from any version. The last version is usable, and then no more
// changes can be written.
TEST(SharedState, TheEndOfTheVersions) {
    for (int64_t version : {int64_t{0}, int64_t{7}, accp::kMaxSeq - accp::kMaxJump - 1,
                            accp::kMaxSeq - accp::kMaxJump}) {
        Side side;
        side.state.restore(version, "{}");
        auto whole = [](int64_t at) {
            return R"({"version":)" + std::to_string(at) + R"(,"state":{"a":1}})";
        };
        for (int64_t at : {version + accp::kMaxJump + 1, accp::kMaxSeq}) {
            if (at - version <= accp::kMaxJump) continue;
            EXPECT_EQ(side.apply(whole(at)).code, at > accp::kMaxSeq ? ACCP_E1004 : ACCP_E3003)
                << at;
        }
        EXPECT_TRUE(side.apply(whole(version + accp::kMaxJump)).ok());
        if (side.state.version() != accp::kMaxSeq) continue;
        EXPECT_EQ(side.change(R"({"a":2})", false), "E2003");
        EXPECT_EQ(side.json(), R"({"a":1})");
        EXPECT_TRUE(side.apply(whole(accp::kMaxSeq)).ok());
        EXPECT_EQ(side.apply(whole(INT64_MAX)).code, ACCP_E1004);
    }
}

}  // namespace
