// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// ACCP-3.7-06, A30: what belongs to a chain that was cancelled.
#include "delivery/chains.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace {

struct Log : accp::Ancestry {
    accp::Status find(std::string_view mid, bool &found, Frame &out) override {
        ++lookups;
        auto at = frames.find(std::string(mid));
        found = at != frames.end();
        if (found) out = {at->second.first, at->second.second};
        return {};
    }
    std::map<std::string, std::pair<std::string, std::string>> frames;  // mid: cid, aid
    int lookups = 0;
};

struct Chains {
    accp_status covers(const std::string &mid, const std::string &cid, const std::string &aid, bool &out) {
        accp_envelope envelope = {};
        auto set = [&](uint32_t bit, accp_text &field, const std::string &text) {
            if (text.empty()) return;
            envelope.fields |= bit;
            field = {text.data(), text.size()};
        };
        set(ACCP_ENVELOPE_MID, envelope.mid, mid);
        set(ACCP_ENVELOPE_CID, envelope.cid, cid);
        set(ACCP_ENVELOPE_AID, envelope.aid, aid);
        return chains.covers(envelope, log, out).code;
    }
    bool covers(const std::string &mid, const std::string &cid = "", const std::string &aid = "") {
        bool out = false;
        EXPECT_EQ(covers(mid, cid, aid, out), ACCP_OK);
        return out;
    }

    accp::Memory memory{accp::private_allocator(), 1 << 20};
    accp::CancelledChains chains{memory};
    Log log;
};

TEST(Chains, ByCidByMidAndByCause) {
    Chains all;
    EXPECT_FALSE(all.covers("m1", "c1", "m0"));
    EXPECT_EQ(all.log.lookups, 0);
    ASSERT_TRUE(all.chains.add("c1").ok());
    ASSERT_TRUE(all.chains.add("m5").ok());
    all.log.frames = {{"m1", {"c1", ""}}, {"m2", {"c2", "m1"}}, {"m3", {"", "m2"}}, {"m4", {"c4", "m9"}}};
    EXPECT_TRUE(all.covers("m7", "c1"));
    EXPECT_FALSE(all.covers("m7", "c11"));
    EXPECT_TRUE(all.covers("m7", "c2", "m1")) << "caused by one of the chain";
    EXPECT_TRUE(all.covers("m7", "", "m3")) << "three causes away";
    EXPECT_FALSE(all.covers("m7", "", "m4"));
    EXPECT_TRUE(all.covers("m5")) << "a request without a cid is its own chain";
    EXPECT_TRUE(all.covers("m7", "m5")) << "and so is its answer (A28)";
    EXPECT_TRUE(all.covers("m7", "", "m5"));
}

TEST(Chains, CausesWithoutEndAreRefused) {
    Chains all;
    ASSERT_TRUE(all.chains.add("c1").ok());
    all.log.frames = {{"m1", {"", "m2"}}, {"m2", {"", "m1"}}};
    bool out = true;
    EXPECT_EQ(all.covers("m3", "", "m1", out), ACCP_E2003);
}

TEST(Chains, AreBounded) {
    Chains all;
    for (uint32_t i = 0; i < accp::kMostCancelled; ++i) ASSERT_TRUE(all.chains.add("c" + std::to_string(i)).ok());
    EXPECT_TRUE(all.chains.add("c7").ok()) << "known";
    EXPECT_EQ(all.chains.add("one more").code, ACCP_E2003);
    EXPECT_TRUE(all.covers("m1", "c1023"));
}

}  // namespace
