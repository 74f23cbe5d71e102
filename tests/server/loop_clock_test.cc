// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The clock of the event loop, which never runs backwards and never stops.
#include <gtest/gtest.h>

#include "server/http/clock.h"

namespace {

TEST(LoopClock, GoesOnWhereTheWallIsSetBack) {
    struct Case {
        const char *what;
        int64_t wall, span, wanted;
    };
    const Case cases[] = {
        {"the first", 1'000'000, 50, 1'000'000},
        {"as the wall", 1'000'010, 60, 1'000'010},
        {"twice in a millisecond", 1'000'010, 60, 1'000'010},
        {"set ahead", 1'500'000, 70, 1'500'000},
        {"set back by an hour", 1'500'000 - 3'600'000, 71, 1'500'000},
        {"half its pace", 1'500'000 - 3'599'000, 1'071, 1'500'500},
        {"and on", 1'500'000 - 3'598'000, 2'071, 1'501'000},
        {"the wall is there again", 1'502'000, 4'071, 1'502'000},
        {"as the wall again", 1'502'001, 4'072, 1'502'001},
        {"slewed a little", 1'502'100, 4'200, 1'502'100},
    };
    server::LoopClock clock;
    for (const Case &one : cases) EXPECT_EQ(clock.ms(one.wall, one.span), one.wanted) << one.what;
}

// Steps of a millisecond add up too.
TEST(LoopClock, SmallStepsAreNotLost) {
    server::LoopClock clock;
    clock.ms(1'000'000, 0);
    int64_t now = 0;
    for (int64_t span = 1; span <= 1'000; ++span) {
        const int64_t next = clock.ms(500'000 + span, span);
        EXPECT_GE(next, now);
        now = next;
    }
    EXPECT_EQ(now, 1'000'500);
}

}  // namespace
