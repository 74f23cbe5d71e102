// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers are added and removed as in a set, with any hashes. With few hashes, numbers displace
// each other.
#include "base/slots.h"

#include <gtest/gtest.h>

#include "unit.h"

namespace {

using namespace accp;

TEST(Slots, ComeAndGoAsInASet) {
    accp_unit::Random random(1);
    accp_unit::Room room;
    for (const uint64_t hashes : {1u, 3u, 20u, 1000u}) {
        const auto hash_of = [hashes](uint64_t number) { return number % hashes * 7; };
        Slots slots(room.memory);
        std::set<uint64_t> model;
        for (int step = 0; step < 3000; ++step) {
            const uint64_t number = 1 + random.below(60);
            const auto is_it = [number](uint64_t each) { return each == number; };
            ASSERT_EQ(slots.find(hash_of(number), is_it), model.count(number) ? number : 0);
            if (model.erase(number)) {
                slots.remove(hash_of(number), hash_of, is_it);
            } else {
                slots.reserve(1, hash_of);
                slots.add(hash_of(number), number);
                model.insert(number);
            }
            ASSERT_EQ(slots.count(), model.size());
        }
    }
}

}  // namespace
