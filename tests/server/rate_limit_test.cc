// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The guarantees of a rate limit, tested with random callers.
#include "server/http/access.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using server::RateLimit;

constexpr int64_t kStartMs = 1'794'000'000'000;

// Any interval contains at most the requests of its length plus one second, plus one request. A
// caller that waits as long as the limit requires is served.
TEST(RateLimit, NoMoreThanItSays) {
    std::mt19937 random(7);
    for (const int64_t rate : {1, 3, 50, 999, 20'000}) {
        RateLimit limit(static_cast<uint64_t>(rate));
        std::vector<int64_t> taken;
        int64_t now = kStartMs;
        for (int i = 0; i < 5000; ++i) {
            now += random() % 4 ? 0 : static_cast<int64_t>(random() % (20'000 / rate + 2));
            if (const int64_t wait = limit.take(now)) {
                ASSERT_GE(wait, 1);
                ASSERT_NE(limit.take(now), 0);  // the refused attempt was not counted
                if (random() % 2) continue;
                now += wait;
                ASSERT_EQ(limit.take(now), 0) << rate << " after " << wait;
            }
            taken.push_back(now);
        }
        for (size_t first = 0; first < taken.size(); first += 97)
            for (size_t last = first; last < taken.size(); last += 31)
                ASSERT_LE(static_cast<int64_t>(last - first + 1) * 1000,
                          rate * (taken[last] - taken[first] + 1000) + 1000)
                    << rate;
    }
}

TEST(RateLimit, ASteadyCallerIsNeverRefused) {
    RateLimit limit(100);
    for (int64_t i = 0; i < 10'000; ++i) ASSERT_EQ(limit.take(kStartMs + i * 10), 0) << i;
}

TEST(RateLimit, WhatCameAnywayIsCounted) {
    RateLimit limit(10), none(0);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(limit.charge(kStartMs), 0);
    EXPECT_EQ(limit.charge(kStartMs), 100);
    EXPECT_EQ(limit.charge(kStartMs), 200);
    EXPECT_EQ(limit.take(kStartMs + 199), 1);
    EXPECT_EQ(limit.take(kStartMs + 200), 0);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(none.charge(kStartMs), 0);
}

}  // namespace
