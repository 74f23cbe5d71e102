// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares what a consumer's deliveries reveal about subjects with everything that was published.
#include "nats/recent.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

using namespace accp_nats;

namespace {

TEST(NatsRecent, ReadsWhereADeliveryWouldBeAcknowledged) {
    struct Case {
        const char *reply;
        bool is_one;
        const char *consumer;
        uint64_t number, seq;
    };
    const Case cases[] = {
        {"$JS.ACK.ACCP-a.c1.1.4711.12.1795666068227895211.0", true, "c1", 12, 4711},
        {"$JS.ACK._.hash.ACCP-a.c1.1.4711.12.1795666068227895211.0.random", true, "c1", 12, 4711},
        {"$JS.ACK.hub.hash.ACCP-a.c1.1.4711.12.1795666068227895211.0", true, "c1", 12, 4711},
        {"$JS.ACK.ACCP-a.c1.1.4711.12.1795666068227895211", false, "", 0, 0},
        {"$JS.ACK.ACCP-a.c1.1.many.12.1795666068227895211.0", false, "", 0, 0},
        {"$JS.ACK.ACCP-a.c1.1.4711.12x.1795666068227895211.0", false, "", 0, 0},
        {"$JS.ACK.ACCP-a.c1.1..12.1795666068227895211.0", false, "", 0, 0},
        {"$JS.ACK.", false, "", 0, 0},
        {"_INBOX.x.1.2", false, "", 0, 0},
        {"", false, "", 0, 0},
    };
    for (const Case &one : cases) {
        Delivery found;
        ASSERT_EQ(read_delivery(one.reply, found), one.is_one) << one.reply;
        if (!one.is_one) continue;
        EXPECT_EQ(found.consumer, one.consumer) << one.reply;
        EXPECT_EQ(found.number, one.number) << one.reply;
        EXPECT_EQ(found.seq, one.seq) << one.reply;
    }
}

TEST(NatsRecent, KnowsWhatCameOneAfterTheOther) {
    RecentMessages recent;
    recent.follow("a");
    recent.note({"c", 1, 10}, "a");
    EXPECT_FALSE(recent.follows_directly("a", 5, 10));  // nothing is known before the first one
    recent.note({"c", 2, 11}, "b");
    recent.note({"c", 3, 12}, "a");
    EXPECT_TRUE(recent.follows_directly("a", 10, 12));
    EXPECT_FALSE(recent.follows_directly("a", 9, 12));
    EXPECT_FALSE(recent.follows_directly("a", 10, 11));
    EXPECT_FALSE(recent.follows_directly("b", 10, 11));  // this subject is not followed
    recent.note({"c", 5, 14}, "a");                      // 4 was lost
    EXPECT_FALSE(recent.follows_directly("a", 12, 14));
    recent.note({"c", 6, 15}, "a");
    EXPECT_TRUE(recent.follows_directly("a", 14, 15));
    recent.forget();
    EXPECT_FALSE(recent.follows_directly("a", 14, 15));
    EXPECT_EQ(recent.newest(), 0u);
}

// With any losses, a positive result must be true. Without losses, every true case must be
// reported.
TEST(NatsRecent, NeverSaysWhatIsNotSo) {
    for (uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        const uint32_t losses = seed % 4 * 5;  // of 100
        RecentMessages recent;
        std::map<std::string, std::vector<uint64_t>> published;
        size_t known = 0, asked = 0;
        for (uint64_t seq = 1; seq <= 500; ++seq) {
            const std::string subject(1, static_cast<char>('a' + random() % 5));
            recent.follow(subject);
            std::vector<uint64_t> &all = published[subject];
            all.push_back(seq);
            if (random() % 100 >= losses) recent.note({"c", seq, seq}, subject);
            const uint64_t previous = seq - 1 - random() % std::min<uint64_t>(seq, 8);
            const bool is_so = all.size() > 1 && all[all.size() - 2] == previous;
            ASSERT_TRUE(is_so || !recent.follows_directly(subject, previous, seq)) << seed;
            if (all.size() < 3) continue;
            ++asked;
            known += recent.follows_directly(subject, all[all.size() - 2], seq);
        }
        EXPECT_EQ(known == asked, losses == 0) << seed;
    }
}

}  // namespace
