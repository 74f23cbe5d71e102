// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Negotiation, frame by frame (specification 6.4).
#include "registry/negotiation.h"

#include <gtest/gtest.h>

#include "registry/peer.h"

namespace {

using namespace accp;
using accp_unit::is_sound;
using accp_unit::Peer;
using accp_unit::shared_registry;
using State = registry::Negotiation::State;

constexpr uint32_t kAll = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_P1 | ACCP_EXT_U8 | ACCP_EXT_W1;
constexpr const char *kReport =
    R"({"version":3,"schemas":{"sales_report":{"code":"SR","version":1,"fields":["period","notes"],
    "defaults":{"period":"quarterly, 日本 and so on"}}}})";

// Exchanges all frames until both sides have none left. Returns the number of frames.
size_t talk(Peer &a, Peer &b) {
    size_t count = 0;
    for (;;) {
        const auto from_a = a.say(), from_b = b.say();
        if (from_a.empty() && from_b.empty()) return count;
        for (const std::string &frame : from_a) b.take(frame), ++count;
        for (const std::string &frame : from_b) a.take(frame), ++count;
    }
}

std::string summed(const std::string &body) {
    return "@b>sync:registry{" + body + "|c:" + std::string(sha256(body).first(8)) + "}";
}

TEST(Negotiation, ACCP_6_4_01_TheHelloAsTheSpecificationPrintsIt) {
    Peer a(shared_registry(kReport, 31), "orchestrator", kAll);
    a.it.set_tokenizer("o200k_base");
    const auto frames = a.say();
    ASSERT_EQ(frames.size(), 1u);
    const std::string hash(a.own()->hash().view());
    const std::string body = "v:3|hash:" + hash.substr(0, 6) +
                             "|p:1|x:[q1,t1,p1,u8,w1]|tok:o200k_base|h:" + hash.substr(0, 32);
    EXPECT_EQ(frames[0], "@orchestrator>sync:registry{" + body +
                             "|c:" + std::string(sha256(body).first(8)) + "}");
}

TEST(Negotiation, ACCP_6_4_02_EqualHashesEndIt) {
    Peer a(shared_registry({}, 31), "a", kAll), b(shared_registry({}, 31), "b", ACCP_EXT_T1);
    EXPECT_EQ(talk(a, b), 2u) << "nothing further";
    EXPECT_EQ(a.it.state(), State::kAgreed);
    EXPECT_EQ(b.it.state(), State::kAgreed);
    EXPECT_EQ(a.it.extensions(), uint32_t{ACCP_EXT_Q1 | ACCP_EXT_T1}) << "the intersection";
    EXPECT_EQ(a.it.agreed().get(), a.own().get());
    EXPECT_TRUE(is_sound(a.it, b.it));
}

// Unknown names in x are ignored, so they may be sent to any peer.
TEST(Negotiation, FeaturesOfSessions) {
    constexpr uint32_t kEach = ACCP_FEATURE_MERGES | ACCP_FEATURE_PARTS | ACCP_FEATURE_STORE;
    Peer a(shared_registry({}, 31), "a", kAll), b(shared_registry({}, 31), "b", ACCP_EXT_T1);
    a.it.set_features(kEach);
    b.it.set_features(ACCP_FEATURE_MERGES | ACCP_FEATURE_PARTS);
    EXPECT_EQ(a.it.features(), 0u) << "nothing is in force while it is open";
    const auto hello = a.say();
    EXPECT_NE(hello[0].find("|x:[q1,t1,p1,u8,w1,m1,f1,s1]|"), std::string::npos) << hello[0];
    b.take(hello[0]);
    talk(a, b);
    EXPECT_EQ(a.it.features(), uint32_t{ACCP_FEATURE_MERGES | ACCP_FEATURE_PARTS});
    EXPECT_EQ(b.it.features(), a.it.features());
    Peer bare(shared_registry({}, 31), "c", 0), other(shared_registry({}, 31), "d", 0);
    bare.it.set_features(kEach);
    other.it.set_features(kEach);
    talk(bare, other);
    EXPECT_EQ(bare.it.extensions(), 0u);
    EXPECT_EQ(bare.it.features(), uint32_t{ACCP_FEATURE_MERGES | ACCP_FEATURE_STORE})
        << "parts need q1";
    Peer newer(shared_registry({}, 31), "e", kAll), older(shared_registry({}, 31), "f", kAll);
    newer.it.set_features(kEach);
    talk(newer, older);
    EXPECT_EQ(newer.it.features(), 0u);
    EXPECT_EQ(older.it.extensions(), kAll);
}

TEST(Negotiation, ACCP_6_4_03_AMismatchSendsTheDeltaOnce) {
    Peer a(shared_registry(kReport, 31), "a", kAll), b(shared_registry({}, 3), "b", kAll);
    size_t chunks = 0;
    for (;;) {
        const auto from_a = a.say(), from_b = b.say();
        if (from_a.empty() && from_b.empty()) break;
        for (const std::string &frame : from_a) {
            chunks += frame.find("|d:") != std::string::npos;
            EXPECT_EQ(b.take(frame), "OK") << frame;
        }
        for (const std::string &frame : from_b) EXPECT_EQ(a.take(frame), "OK") << frame;
    }
    EXPECT_GT(chunks, 1u);
    ASSERT_EQ(a.it.state(), State::kAgreed);
    ASSERT_EQ(b.it.state(), State::kAgreed);
    EXPECT_TRUE(is_sound(a.it, b.it));
    EXPECT_TRUE(b.it.agreed()->by_code("SR"));
    EXPECT_EQ(b.it.peers()->hash().view(), a.own()->hash().view());
    // Cached: a second session sends no delta.
    Peer again_a(a.own(), "a", kAll), again_b(b.own(), "b", kAll);
    again_a.it.add_known(a.it.peers());
    again_b.it.add_known(b.it.peers());
    EXPECT_EQ(talk(again_a, again_b), 4u) << "two hellos, two ok";
    EXPECT_EQ(again_a.it.agreed()->hash().view(), a.it.agreed()->hash().view());
    // If only one side has the other's registry, only the other receives a delta, based on what
    // both have.
    Peer third_a(a.own(), "a", kAll), third_b(b.own(), "b", kAll);
    third_a.it.add_known(a.it.peers());
    talk(third_a, third_b);
    EXPECT_EQ(third_b.it.state(), State::kAgreed);
    EXPECT_EQ(third_b.it.agreed()->hash().view(), a.it.agreed()->hash().view());
}

TEST(Negotiation, BareSpecification) {
    Peer a(shared_registry({}, 31), "a", kAll);
    EXPECT_EQ(a.take("@orchestrator>sync:registry{v:3|hash:" +
                     std::string(a.own()->hash().first(6)) + "}"),
              "OK");
    EXPECT_EQ(a.it.state(), State::kBare) << "six digits decide nothing";
    EXPECT_EQ(a.it.extensions(), 0u);
}

TEST(Negotiation, NoUnionAndBothGoOnWithout) {
    Peer a(shared_registry(R"({"schemas":{"s":{"code":"S","fields":["a"]}}})", 31), "a", kAll);
    Peer b(shared_registry(R"({"schemas":{"s":{"code":"S","fields":["b"]}}})", 31), "b", kAll);
    talk(a, b);
    EXPECT_EQ(a.it.state(), State::kBare);
    EXPECT_EQ(b.it.state(), State::kBare);
    EXPECT_EQ(a.it.extensions(), uint32_t{kAll & ~ACCP_EXT_P1});
    EXPECT_EQ(a.it.reason(), ACCP_E1003);
}

TEST(Negotiation, ADeltaThatIsNotWhatItsHashNames) {
    Peer a(shared_registry({}, 31), "a", kAll);
    const std::string hash(32, 'a');
    EXPECT_EQ(a.take(summed("v:1|hash:aaaaaa|p:1|x:[q1]|h:" + hash)), "OK");
    EXPECT_EQ(a.take(summed(
                  "idx:0|tot:1|base:0|h:" + hash +
                  "|d:\\{\"add\"\\:\\{\"schemas\"\\:\\{\\}\\}\\,\"del\"\\:\\[\\]\\}|done:true")),
              "E1004");
    EXPECT_EQ(a.it.state(), State::kRefused);
    const auto said = a.say();
    ASSERT_EQ(said.size(), 2u);
    EXPECT_NE(said[1].find("no:E1003|end:true"), std::string::npos) << said[1];
}

TEST(Negotiation, WhatIsNotBelieved) {
    const std::string hash(32, 'a'), hello = summed("v:1|hash:aaaaaa|p:1|x:[q1]|h:" + hash);
    const struct {
        std::string frame;
        const char *verdict;
    } rows[] = {
        {"@b>sync:registry{}", "E1004"},
        {"@b>sync:state{v:3}", "E-2"},
        {"@b>req:registry{v:3}", "E-2"},
        {"@b>sync:registry{v:1|h:" + hash + "}", "E1001"},
        {"@b>sync:registry{v:1|hash:aaaaaa|p:1|x:[q1]|h:" + hash + "|c:00000000}", "E1001"},
        {summed("v:1|h:" + hash.substr(1)), "E1004"},
        {summed("v:1|h:" + std::string(32, 'A')), "E1004"},
        {summed("get:" + hash), "E1004"},
        {summed("ok:1"), "E1004"},
        {summed("idx:1|tot:1|base:0|h:" + hash + "|d:x"), "E1004"},
        {summed("idx:0|tot:99999999|base:0|h:" + hash + "|d:x"), "E1004"},
        {summed("idx:0|tot:1|base:" + hash + "|h:" + hash + "|d:x"), "E1004"},
        {summed("idx:0|tot:2|base:0|h:" + hash + "|d:\"%u1\""), "E1001"},
    };
    for (const auto &row : rows) {
        Peer a(shared_registry({}, 31), "a", kAll);
        if (row.frame.find("idx") != std::string::npos) a.take(hello);
        EXPECT_EQ(a.take(row.frame), row.verdict) << row.frame;
        EXPECT_EQ(a.it.state(), State::kOpen) << row.frame;
    }
}

TEST(Negotiation, AnotherProtocolOrAnotherMind) {
    Peer a(shared_registry({}, 31), "a", kAll);
    EXPECT_EQ(a.take(summed("v:1|hash:aaaaaa|p:2|h:" + std::string(32, 'a'))), "E1003");
    EXPECT_EQ(a.it.state(), State::kRefused);
    Peer b(shared_registry({}, 31), "b", kAll);
    EXPECT_EQ(b.take(summed("v:1|hash:aaaaaa|p:1|h:" + std::string(32, 'a'))), "OK");
    EXPECT_EQ(b.take(summed("v:1|hash:bbbbbb|p:1|h:" + std::string(32, 'b'))), "E1003");
    EXPECT_EQ(b.it.state(), State::kRefused);
}

TEST(Negotiation, GivenUpAfterSoManyTries) {
    Peer a(shared_registry({}, 31), "a", kAll);
    size_t frames = 0;
    for (int i = 0; i < 50; ++i) {
        frames += a.say().size();
        a.it.timeout();
    }
    EXPECT_EQ(a.it.state(), State::kRefused);
    EXPECT_EQ(a.it.reason(), ACCP_E3001);
    EXPECT_EQ(frames, kNegotiationTries + 2u) << "a hello for each try, and the end";
}

TEST(Negotiation, ARegistryIsNotSentForEver) {
    Peer a(shared_registry({}, 31), "a", kAll);
    const std::string get = summed("get:" + std::string(a.own()->hash().first(32)));
    int sent = 0;
    for (int i = 0; i < 50; ++i) {
        a.take(get);
        sent += a.say().size() > 1;
    }
    EXPECT_LE(sent, static_cast<int>(kNegotiationTries) + 1);
}

}  // namespace
