// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requirements that are not met yet. Such a test states the requirement as any other does; it
// passes as long as the requirement is not met, and fails the run once it is, so that nobody
// forgets to make it a test like the others. `ctest -N -R ExpectedFailure` lists them all.
//
//     TEST_EXPECTED_FAILURE(OrphanResultIsExact, "step 16: …") { EXPECT_EQ(…); }
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace accp_test {

template <class Body>
void expect_failure(const char *name, const char *reason, Body body) {
    testing::TestPartResultArray results;
    {
        testing::ScopedFakeTestPartResultReporter reporter(
            testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
        body();
    }
    bool has_failed = false;
    for (int i = 0; i < results.size(); ++i)
        has_failed = has_failed || results.GetTestPartResult(i).failed();
    std::printf("expected failure: %s (%s)\n", name, reason);
    EXPECT_TRUE(has_failed) << name << " holds now: make it a TEST (it was to come with: " << reason
                            << ")";
}

}  // namespace accp_test

#define TEST_EXPECTED_FAILURE(name, reason)                                \
    static void expected_failure_##name();                                 \
    TEST(ExpectedFailure, name) {                                          \
        accp_test::expect_failure(#name, reason, expected_failure_##name); \
    }                                                                      \
    static void expected_failure_##name()
