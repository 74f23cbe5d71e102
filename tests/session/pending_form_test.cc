// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The blob of a session's open work: it comes back exactly, and one with a number that no session
// writes is damaged.
#include <gtest/gtest.h>

#include <string>

#include "session/core.h"
#include "unit.h"

using namespace accp;

namespace {

struct Numbers {
    uint64_t deadline, timeout_ms, record;
};

// The blob of one request that waits.
std::string blob_of(const Numbers &numbers) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    Packer packer(out);
    packer.number(0);  // chains
    packer.number(1);
    packer.text("c1");
    for (uint64_t n : {numbers.deadline, numbers.timeout_ms, numbers.record}) packer.number(n);
    return accp_unit::text_of(out);
}

TEST(PendingForm, ComesBackOrIsDamaged) {
    constexpr uint64_t kMax = INT64_MAX;
    const std::pair<Numbers, bool> kCases[] = {{{1714000000000, 10'000, 1}, true},
                                               {{0, 0, 1}, true},
                                               {{kMax, kMax, kMaxRecords}, true},
                                               {{kMax + 1, 0, 1}, false},
                                               {{UINT64_MAX, 0, 1}, false},
                                               {{0, kMax + 1, 1}, false},
                                               {{0, 0, 0}, false},
                                               {{0, 0, kMaxRecords + 1}, false},
                                               {{0, 0, UINT64_MAX}, false}};
    for (const auto &[numbers, is_kept] : kCases) {
        const std::string blob = blob_of(numbers);
        accp_unit::Room room;
        session::Pending pending(room.memory);
        const Status status = pending.read(blob);
        EXPECT_EQ(status.code, is_kept ? ACCP_OK : ACCP_ERR_CORRUPT)
            << numbers.deadline << " " << numbers.timeout_ms << " " << numbers.record;
        if (!is_kept) continue;
        Buffer<char> out(room.memory);
        pending.write(out);
        EXPECT_EQ(accp_unit::text_of(out), blob);
    }
}

// The time of a record and the timeout of a request are used as signed numbers.
TEST(RecordForm, TimesThatNoSessionWritesAreDamage) {
    constexpr uint64_t kMax = INT64_MAX;
    for (const uint64_t time_ms : {uint64_t{0}, kMax, kMax + 1, UINT64_MAX})
        for (const uint64_t timeout_ms : {uint64_t{0}, kMax, kMax + 1}) {
            accp_unit::Room room;
            session::Record record, read;
            record.kind = session::RecordKind::kRequest;
            record.time_ms = time_ms;
            record.timeout_ms = timeout_ms;
            Buffer<char> out(room.memory);
            session::write_record(record, out);
            EXPECT_EQ(session::read_record(out.view(), read), time_ms <= kMax && timeout_ms <= kMax)
                << time_ms << " " << timeout_ms;
        }
}

}  // namespace
