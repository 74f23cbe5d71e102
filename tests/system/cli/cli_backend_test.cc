// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp store conformance with a correct back end, and with ones that each break a promise.
#include "run_accp.h"

#include <gtest/gtest.h>

namespace {

TEST(CliBackend, TheExampleKeepsAllPromises) {
    const Ran run = run_accp({"store", "conformance", "--plugin", ACCP_BACKEND});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_NE(run.out.find("18 of 18 promises are kept"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("FAILED"), std::string::npos) << run.out;
}

TEST(CliBackend, WhatIsBrokenIsFound) {
    const struct {
        const char *place;
        const char *found;  // the check that must find it
    } cases[] = {{"no fence", "FAILED  two that write"},
                 {"half", "FAILED  changes in their order"},
                 {"before looking", "FAILED  a write whole or absent"},
                 {"nothing", "FAILED  a new session"},
                 {"until refused", "FAILED  several writes at once"},
                 {"forwards", "FAILED  records in their order"},
                 {"no erase", "FAILED  erasing"},
                 {"no notes", "FAILED  opening again"},
                 {"all sessions", "FAILED  sessions in their order"},
                 {"right", "18 of 18"}};
    for (const auto &one : cases) {
        const Ran run =
            run_accp({"store", "conformance", "--plugin", ACCP_BROKEN_BACKEND, one.place});
        EXPECT_EQ(run.status, one.place == std::string("right") ? 0 : 1) << one.place << run.out;
        EXPECT_NE(run.out.find(one.found), std::string::npos) << one.place << "\n" << run.out;
    }
}

TEST(CliBackend, WhatIsNoBackEndIsTold) {
    Ran run = run_accp({"store", "conformance"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("--plugin"), std::string::npos) << run.err;
    run = run_accp({"store", "conformance", "--plugin", "/nowhere/at/all.so"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("/nowhere/at/all.so"), std::string::npos) << run.err;
    run = run_accp({"store", "conformance", "--plugin", "libm.so.6"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("accp_store_backend_entry"), std::string::npos) << run.err;
}

}  // namespace
