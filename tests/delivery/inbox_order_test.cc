// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// ACCP-3.7-03, -04: in whatever order frames arrive, they are applied in ascending order, each
// once.
#include <algorithm>
#include <random>
#include <vector>

#include "delivery/arrivals.h"

using namespace accp_arrivals;

namespace {

// Frames 1 to `count`, each moved by less than the window, and some sent twice.
std::vector<int64_t> shuffled(std::mt19937_64 &random, int64_t count) {
    std::vector<std::pair<int64_t, int64_t>> places;
    for (int64_t seq = 1; seq <= count; ++seq) {
        places.push_back({seq + static_cast<int64_t>(random() % 60), seq});
        if (random() % 8 == 0) places.push_back({seq + static_cast<int64_t>(random() % 200), seq});
    }
    std::sort(places.begin(), places.end());
    std::vector<int64_t> order;
    for (auto &place : places) order.push_back(place.second);
    return order;
}

TEST(InboxOrder, AnyOrderWithinTheWindow) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        const int64_t count = 150;
        Box box;
        std::string wanted;
        for (int64_t seq = 1; seq <= count; ++seq) wanted += std::to_string(seq) + " ";
        std::set<int64_t> taken;
        for (int64_t seq : shuffled(random, count)) {
            accp_status status = box.take(Frame(seq));
            accp_status expected = !taken.insert(seq).second ? ACCP_E3002 : status;
            ASSERT_EQ(status, expected) << seed;
            ASSERT_TRUE(status == ACCP_OK || status == ACCP_HELD || status == ACCP_E3002) << seed;
            ASSERT_LE(box.inbox.waiting(), 64u);
        }
        ASSERT_EQ(box.applied, wanted) << seed;
        ASSERT_EQ(box.inbox.waiting(), 0u);
    }
}

// Frames beyond the window are refused and change nothing. They are accepted when they are sent
// again later.
TEST(InboxOrder, SentAgainUntilTaken) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
        std::mt19937_64 random(seed);
        Box box;
        std::vector<int64_t> left(300);
        for (size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int64_t>(i) + 1;
        while (!left.empty()) {
            std::shuffle(left.begin(), left.end(), random);
            std::vector<int64_t> again;
            for (int64_t seq : left)
                if (box.take(Frame(seq)) == ACCP_E3003) again.push_back(seq);
            ASSERT_LT(again.size(), left.size()) << seed;
            left = again;
        }
        ASSERT_EQ(std::count(box.applied.begin(), box.applied.end(), ' '), 300) << seed;
        ASSERT_EQ(box.inbox.next("a"), 301);
    }
}

}  // namespace
