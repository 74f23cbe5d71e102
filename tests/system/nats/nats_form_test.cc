// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Damaged messages and snapshots.
#include <gtest/gtest.h>

#include "nats/index.h"
#include "nats/place.h"

using namespace accp_nats;

namespace {

std::string written(const BackLinks &back_links) {
    std::string out;
    FormWriter to(out);
    back_links.write(to);
    return out;
}

TEST(NatsForm, ATrailIsReadAsItWasWritten) {
    BackLinks back_links;
    for (uint64_t n = 0; n <= 600; ++n) {
        const std::string bytes = written(back_links);
        FormReader from(bytes);
        BackLinks read;
        ASSERT_NO_THROW(read.read(from)) << n;
        EXPECT_EQ(written(read), bytes) << n;
        back_links.add(7 + 3 * n);
    }
}

// A message with a count of earlier messages that names none of them.
TEST(NatsForm, ATrailThatEndsInNothingIsDamaged) {
    for (const uint64_t number : {1, 15, 31, 271}) {
        BackLinks back_links;
        back_links.number = number;
        const std::string bytes = written(back_links);
        FormReader from(bytes);
        BackLinks read;
        EXPECT_THROW(read.read(from), Failure) << number;
    }
}

// A snapshot with records that names no message with records.
TEST(NatsForm, ASnapshotThatKnowsNoRecordsPlaceIsDamaged) {
    SessionIndex index, read;
    index.head = 9;
    index.back_links.add(9);
    index.waypoints.push_back({1, 9});
    index.last_record = 5;
    ASSERT_NO_THROW(read.read_snapshot(index.write_snapshot()));
    index.waypoints.clear();
    EXPECT_THROW(SessionIndex().read_snapshot(index.write_snapshot()), Failure);
}

}  // namespace
