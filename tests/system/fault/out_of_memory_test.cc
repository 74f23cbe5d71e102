// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every allocation of every scenario fails: once, and permanently from there on. The call must
// return ACCP_ERR_NOMEM, leave all outputs unchanged and leak nothing. The same handles must then
// do the same work as without the failure.
#include <gtest/gtest.h>

#include <string>

#include "fault/injector.h"
#include "fault/inputs.h"
#include "fault/scenario.h"

namespace {

using namespace accp_fault;

struct Answer {
    accp_status status;
    uint64_t offset;
    std::string text;

    bool operator==(const Answer &other) const {
        return status == other.status && offset == other.offset && text == other.text;
    }
};

Answer answer_of(const World &world, accp_status status) {
    bool ok = status == ACCP_OK;
    return {status, ok ? 0 : world.error.offset,
            ok && world.text.text ? std::string(world.text.text, world.text.len) : std::string()};
}

Answer run(const Scenario &scenario, World &world) {
    accp_status status = scenario.run(world);
    return answer_of(world, status);
}

accp_status run_failing(const Scenario &scenario, World &world, uint64_t first, bool for_ever) {
    world.error = {};
    arm(first, for_ever);
    accp_status status = scenario.run(world);
    disarm();
    return status;
}

// Fails at call `first`, then fails once more during the recovery, and then must succeed.
void check_failure(const Scenario &scenario, const Answer &clean, uint64_t first, bool for_ever) {
    SCOPED_TRACE(std::string(scenario.name) +
                 (for_ever ? ", failing from call " : ", failing at call ") +
                 std::to_string(first));
    const int64_t before = live_blocks();
    {
        World world(scenario.configure);
        EXPECT_EQ(run_failing(scenario, world, first, for_ever), ACCP_ERR_NOMEM);
        EXPECT_EQ(world.error.code, ACCP_ERR_NOMEM);
        EXPECT_TRUE(world.error.message && *world.error.message);
        accp_status again = run_failing(scenario, world, 0, false);
        EXPECT_TRUE(again == ACCP_ERR_NOMEM || again == clean.status) << again;
        EXPECT_TRUE(run(scenario, world) == clean) << "another answer than without the failures";
        EXPECT_FALSE(world.touched);
    }
    EXPECT_EQ(live_blocks(), before) << "a leak";
    EXPECT_EQ(live_bytes(), 0);
}

class OutOfMemory : public testing::TestWithParam<Scenario> {};

TEST_P(OutOfMemory, AtEveryAllocation) {
    const Scenario &scenario = GetParam();
    inputs();
    Answer clean;
    uint64_t calls;
    {
        World first(scenario.configure);
        // memory that a process allocates only once (simdjson's list of kernels) is not counted
        run(scenario, first);
    }
    {
        World world(scenario.configure);
        arm(kNever, false);
        accp_status status = scenario.run(world);
        calls = disarm();
        clean = answer_of(world, status);
        EXPECT_TRUE(run(scenario, world) == clean) << "the second run answers something else";
    }
    ASSERT_EQ(clean.status, scenario.expected) << "at " << clean.offset;
    ASSERT_GT(calls, 0u);
    for (uint64_t first = 0; first < calls && !HasFailure(); ++first) {
        check_failure(scenario, clean, first, false);
        check_failure(scenario, clean, first, true);
    }
}

INSTANTIATE_TEST_SUITE_P(Fault, OutOfMemory, testing::ValuesIn(scenarios()), [](const auto &info) {
    std::string name;
    for (char c : std::string(info.param.name))
        name += isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

// simdjson allocates inside the library with operator new. If the injector did not count that,
// these tests would miss failures.
TEST(OutOfMemorySources, BothAreReached) {
    accp_value *value = nullptr;
    // its own memory does not come from the injector
    ASSERT_EQ(accp_value_new(nullptr, &value, nullptr), ACCP_OK);
    arm(kNever, false);
    EXPECT_EQ(accp_value_parse_json(value, "[]", 2, nullptr), ACCP_OK);
    EXPECT_GT(disarm(), 0u) << "operator new does not reach inside the library";
    accp_value_free(value);
}

// A failed call of a builder changes nothing: the same call, repeated, succeeds.
TEST(OutOfMemoryBuilder, GoesOnWithTheCallThatFailed) {
    World world(nullptr);
    ASSERT_EQ(accp_value_new(world.config, &world.value, nullptr), ACCP_OK);
    const std::string text(500, 'x');
    int failures = 0;
    auto stubborn = [&](auto call) {
        for (uint64_t at = 0;; ++at) {
            arm(at, false);
            accp_status status = call();
            if (disarm() <= at) return status;  // none of its allocations failed
            EXPECT_EQ(status, ACCP_ERR_NOMEM);
            ++failures;
        }
    };
    accp_value *v = world.value;
    EXPECT_EQ(stubborn([=] { return accp_value_begin(v, ACCP_MAP, nullptr, 0, nullptr); }),
              ACCP_OK);
    std::string expected = "{";
    for (char key = 'a'; key <= 'z'; ++key) {
        EXPECT_EQ(stubborn([&] {
                      return accp_value_add(v, ACCP_STRING, &key, 1, text.data(), text.size(),
                                            nullptr);
                  }),
                  ACCP_OK);
        EXPECT_EQ(stubborn([&] {
                      return accp_value_begin(v, ACCP_ARRAY, (std::string(1, key) + "2").c_str(), 2,
                                              nullptr);
                  }),
                  ACCP_OK);
        EXPECT_EQ(stubborn([=] { return accp_value_end(v, nullptr); }), ACCP_OK);
        expected += std::string(key == 'a' ? "" : ",") + '"' + key + "\":\"" + text + "\",\"" +
                    key + "2\":[]";
    }
    EXPECT_EQ(stubborn([=] { return accp_value_end(v, nullptr); }), ACCP_OK);
    EXPECT_GT(failures, 5);
    accp_text out = {};
    ASSERT_EQ(accp_value_print_json(v, &out, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out.text, out.len), expected + "}");
}

}  // namespace
