// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// ACCP-3.7-06, A30: which frames belong to a cancelled chain, and which chains are dropped if there
// are too many.
#include "delivery/chains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "cpu_time.h"

namespace {

struct Chains {
    void note(const std::string &mid, const std::string &cid, const std::string &aid) {
        causes.add({++place, chains.hash(mid), chains.hash(cid), chains.hash(aid), 0});
    }
    bool covers(const std::string &mid, const std::string &cid = "", const std::string &aid = "") {
        accp_envelope envelope = {};
        auto set = [&](uint32_t bit, accp_text &field, const std::string &text) {
            if (text.empty()) return;
            envelope.fields |= bit;
            field = {text.data(), text.size()};
        };
        set(ACCP_ENVELOPE_MID, envelope.mid, mid);
        set(ACCP_ENVELOPE_CID, envelope.cid, cid);
        set(ACCP_ENVELOPE_AID, envelope.aid, aid);
        return chains.covers(envelope, causes,
                             place > accp::kMaxLookback ? place - accp::kMaxLookback : 0);
    }
    bool cancel(const std::string &cid, const std::string &agent = "a", bool own = false) {
        return chains.add(cid, agent, own);
    }

    accp::Memory memory{accp::private_allocator(), 4 << 20};
    accp::delivery::CancelledChains chains{memory};
    accp::delivery::CauseIndex causes{memory};
    uint64_t place = 0;
};

TEST(Chains, ByCidByMidAndByCause) {
    Chains all;
    EXPECT_FALSE(all.covers("m1", "c1", "m0"));
    ASSERT_TRUE(all.cancel("c1"));
    ASSERT_TRUE(all.cancel("m5"));
    EXPECT_FALSE(all.cancel("c1")) << "known";
    EXPECT_FALSE(all.cancel("")) << "no chain";
    all.note("m1", "c1", "");
    all.note("m2", "c2", "m1");
    all.note("m3", "", "m2");
    all.note("m4", "c4", "m9");
    EXPECT_TRUE(all.covers("m7", "c1"));
    EXPECT_FALSE(all.covers("m7", "c11"));
    EXPECT_TRUE(all.covers("m7", "c2", "m1")) << "caused by one of the chain";
    EXPECT_TRUE(all.covers("m7", "", "m3")) << "three causes away";
    EXPECT_FALSE(all.covers("m7", "", "m4"));
    EXPECT_TRUE(all.covers("m5")) << "a request without a cid is its own chain";
    EXPECT_TRUE(all.covers("m7", "m5")) << "and so is its answer (A28)";
    EXPECT_TRUE(all.covers("m7", "", "m5"));
}

TEST(Chains, CausesThatNameEachOtherEnd) {
    Chains all;
    ASSERT_TRUE(all.cancel("c1"));
    all.note("m1", "", "m2");
    all.note("m2", "", "m1");
    EXPECT_FALSE(all.covers("m3", "", "m1"));
}

// A ring of causes over a mid that many agents repeat costs no more than the same number of causes
// in a row.
TEST(Chains, ARingOfARepeatedMidIsFollowedOnce) {
    Chains ring, line;
    ASSERT_TRUE(ring.cancel("c1") && line.cancel("c1"));
    for (uint32_t i = 0; i < accp::kMaxLookback; ++i) {
        ring.note("m", "", "m");
        line.note("m" + std::to_string(i + 1), "", "m" + std::to_string(i));
    }
    const std::string last = "m" + std::to_string(accp::kMaxLookback);
    const auto time_of = [](Chains &all, const std::string &aid) {
        return accp_test::cpu_seconds_of(
            [&] {
                for (int i = 0; i < 10; ++i) EXPECT_FALSE(all.covers("x", "", aid));
            },
            5);
    };
    EXPECT_LT(time_of(ring, "m"), 20 * (time_of(line, last) + accp_test::kClockTick));
}

TEST(Chains, WhoRepeatsAMidChangesNothing) {
    Chains all;
    ASSERT_TRUE(all.cancel("c1"));
    all.note("m1", "c2", "");
    all.note("m1", "c1", "");
    EXPECT_FALSE(all.covers("m2", "", "m1"));
}

TEST(Chains, CausesAreRememberedForSoManyRecords) {
    Chains all;
    ASSERT_TRUE(all.cancel("c1"));
    all.note("m0", "c1", "");
    for (uint32_t i = 1; i < accp::kMaxLookback; ++i)
        all.note("m" + std::to_string(i), "", "m" + std::to_string(i - 1));
    const std::string last = "m" + std::to_string(accp::kMaxLookback - 1);
    EXPECT_TRUE(all.covers("x", "", last)) << "over all of them";
    all.note("y", "", "");
    EXPECT_FALSE(all.covers("x", "", last)) << "the first is forgotten";
    const uint64_t used = all.memory.used();
    for (int i = 0; i < 20'000; ++i) all.note("n" + std::to_string(i), "", "");
    EXPECT_LT(all.memory.used(), used + (64 << 10));
}

// A chain can always be cancelled. The agent with the most cancelled chains loses one, acknowledged
// chains first.
TEST(Chains, ThoseOfWhoHasMostGoFirst) {
    Chains all;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(all.cancel("honest" + std::to_string(i), "h"));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(all.cancel("ours" + std::to_string(i), "o", true));
    for (int i = 0; i < 5000; ++i) {
        const std::string cid = "flood" + std::to_string(i);
        ASSERT_TRUE(all.cancel(cid, "m"));
        ASSERT_TRUE(all.chains.has(cid));
        ASSERT_EQ(i == 999 && all.chains.set_done("flood999"), i == 999);
    }
    EXPECT_FALSE(all.chains.has("flood999")) << "done";
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(all.covers("x", "honest" + std::to_string(i)));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(all.covers("x", "ours" + std::to_string(i)));
    ASSERT_TRUE(all.cancel("late", "new"));
    EXPECT_LT(all.memory.used(), 600u << 10);
    for (int i = 0; i < 5000; ++i)
        ASSERT_TRUE(all.cancel("own" + std::to_string(i), "o", true)) << "ours always succeed";
    EXPECT_TRUE(all.chains.has("late"));
    ASSERT_TRUE(all.cancel("late", "o", true)) << "what another has cancelled becomes ours";
    ASSERT_FALSE(all.cancel("late", "new"));
}

TEST(Chains, ALongNameTakesTheShareOfItsOwn) {
    Chains all;
    ASSERT_TRUE(all.cancel("honest", "h"));
    ASSERT_TRUE(all.cancel(std::string(1000, 'h'), "g"));
    for (int i = 0; i < 40; ++i)
        ASSERT_TRUE(all.cancel(std::string(60'000, 'x') + std::to_string(i), "m"));
    EXPECT_FALSE(all.cancel(std::string(70'000, 'x'), "m")) << "no cid";
    EXPECT_TRUE(all.chains.has("honest"));
    EXPECT_TRUE(all.chains.has(std::string(1000, 'h')));
}

// A restored object behaves like the saved one.
TEST(Chains, AreTheSameWhenRestored) {
    std::mt19937_64 random(7);
    Chains all;
    for (int step = 0; step < 6000; ++step) {
        const std::string cid = std::string(random() % 40, 'c') + std::to_string(random() % 3000),
                          agent(1, static_cast<char>('a' + random() % 4));
        if (random() % 8 == 0) all.chains.set_done(cid);
        else all.cancel(cid, agent, random() % 16 == 0);
        if (step % 500) continue;
        accp::Buffer<char> kept(all.memory), again(all.memory);
        accp::Packer first(kept), second(again);
        all.chains.save(first);
        accp::delivery::CancelledChains restored(all.memory);
        accp::Unpacker unpacker({kept.data(), kept.size()});
        ASSERT_TRUE(restored.restore(unpacker));
        for (int more = 0; more < 50; ++more) {
            const std::string one = "more" + std::to_string(step + more),
                              by(1, static_cast<char>('a' + random() % 5));
            ASSERT_EQ(restored.add(one, by, false), all.cancel(one, by));
        }
        kept.clear();
        all.chains.save(first);
        restored.save(second);
        ASSERT_EQ(std::string(kept.data(), kept.size()), std::string(again.data(), again.size()));
    }
}

}  // namespace
