// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The limit memory_bytes, tested to the byte: a scenario runs with exactly the memory that it
// needs. With one byte less it fails with ACCP_ERR_NOMEM, and the handle stays usable.
#include <gtest/gtest.h>

#include <string>

#include "fault/injector.h"
#include "fault/inputs.h"
#include "fault/scenario.h"

namespace {

using namespace accp_fault;

// The scenarios that process large input with one handle, and the scenario that creates this
// handle.
struct Case {
    const char *name;
    const char *maker;
};
constexpr Case kCases[] = {
    {"parse large", "frame new"},      {"parse refused, large", "frame new"},
    {"print large", "frame new"},      {"encode large", "codec new"},
    {"decode large", "codec new"},     {"json parse and print, large", "value new"},
    {"hash form, large", "value new"},
};

const Scenario &find(const std::string &name) {
    for (const Scenario &scenario : scenarios())
        if (name == scenario.name) return scenario;
    throw name + ": no such scenario";
}

// Runs with this limit. Sets `held` to the most memory that the handle held, without itself.
accp_status run(const Case &which, uint64_t cap, uint64_t *held = nullptr) {
    const Scenario &scenario = find(which.name);
    World world(scenario.configure);
    EXPECT_EQ(accp_config_set_limit(world.config, ACCP_LIMIT_MEMORY_BYTES, cap, nullptr), ACCP_OK);
    begin_peak();
    EXPECT_EQ(find(which.maker).run(world), ACCP_OK);
    const int64_t itself = first_bytes();
    accp_status status = scenario.run(world);
    if (held) *held = static_cast<uint64_t>(peak_bytes() - itself);
    EXPECT_FALSE(world.touched);
    EXPECT_LE(static_cast<uint64_t>(peak_bytes() - itself), cap);
    if (status == ACCP_ERR_NOMEM) {
        EXPECT_TRUE(world.error.message);
        const Text &small = inputs().frame;
        accp_text out = {};
        EXPECT_EQ(world.frame ? accp_frame_parse(world.frame, small.data(), small.size(), nullptr)
                              : ACCP_OK,
                  ACCP_OK);
        EXPECT_EQ(world.codec
                      ? accp_codec_decode(world.codec, small.data(), small.size(), &out, nullptr)
                      : ACCP_OK,
                  ACCP_OK);
        EXPECT_EQ(world.value ? accp_value_parse_json(world.value, "[1]", 3, nullptr) : ACCP_OK,
                  ACCP_OK);
    }
    return status;
}

TEST(MemoryCap, IsExact) {
    for (const Case &which : kCases) {
        SCOPED_TRACE(which.name);
        const accp_status expected = find(which.name).expected;
        uint64_t needed = 0;
        EXPECT_EQ(run(which, UINT64_MAX, &needed), expected);
        ASSERT_GT(needed, 65536u) << "too little to put a cap on";
        EXPECT_EQ(run(which, needed + 1), expected);
        EXPECT_EQ(run(which, needed), expected);
        EXPECT_EQ(run(which, needed - 1), ACCP_ERR_NOMEM);
        EXPECT_EQ(run(which, 65536), ACCP_ERR_NOMEM);
    }
}

// A handle holds at most a small multiple of its input.
TEST(MemoryCap, HeldMemoryIsLinearInTheInput) {
    const struct {
        const char *name, *maker;
        size_t input;
        double max;  // bytes per byte of input
    } bounds[] = {
        {"parse large", "frame new", inputs().large_frame.size(), 40},
        {"decode large", "codec new", inputs().large_frame.size(), 60},
        {"encode large", "codec new", inputs().large_message.size(), 60},
        {"json parse and print, large", "value new", inputs().large_message.size(), 40},
    };
    for (const auto &bound : bounds) {
        uint64_t needed = 0;
        run({bound.name, bound.maker}, UINT64_MAX, &needed);
        const double factor = static_cast<double>(needed) / static_cast<double>(bound.input);
        EXPECT_LT(factor, bound.max) << bound.name;
        std::printf("%-28s %5.1f bytes held for each byte of input\n", bound.name, factor);
    }
}

}  // namespace
