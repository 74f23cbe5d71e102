// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks of the inbox, one by one.
#include <functional>

#include "delivery/arrivals.h"

using namespace accp_arrivals;

namespace {

struct Case {
    const char *name;
    std::function<void(Frame &)> change;
    accp_status status;
};

accp_status judge(const std::function<void(Frame &)> &change,
                  const accp::delivery::InboxRules &rules = {}) {
    Box box(rules);
    Frame frame(1);
    change(frame);
    return box.take(frame);
}

TEST(Inbox, EveryFieldOfTheEnvelope) {
    const Case kCases[] = {
        {"all is well", [](Frame &) {}, ACCP_OK},
        {"ACCP-3.5-09 no mid", [](Frame &f) { f.envelope.fields &= ~uint32_t{ACCP_ENVELOPE_MID}; },
         ACCP_E1001},
        {"ACCP-3.5-09 no seq", [](Frame &f) { f.envelope.fields &= ~uint32_t{ACCP_ENVELOPE_SEQ}; },
         ACCP_E1001},
        {"ACCP-3.5-01 a mid of three", [](Frame &f) { f.mid = "abc"; }, ACCP_E1001},
        {"ACCP-3.5-01 a mid in capitals", [](Frame &f) { f.mid = "A00000000001"; }, ACCP_E1001},
        {"ACCP-3.5-01 thirteen", [](Frame &f) { f.mid += "0"; }, ACCP_E1001},
        {"seq 0", [](Frame &f) { f.envelope.seq = 0; }, ACCP_E1001},
        {"the last seq there is", [](Frame &f) { f.envelope.seq = INT64_MAX; }, ACCP_E1001},
        {"A20 no ts", [](Frame &f) { f.envelope.fields &= ~uint32_t{ACCP_ENVELOPE_TS}; }, ACCP_OK},
        {"A20 ttl without ts",
         [](Frame &f) {
             f.envelope.fields &= ~uint32_t{ACCP_ENVELOPE_TS};
             f.envelope.ttl = 5;
         },
         ACCP_E1001},
        {"A32 300 s ahead", [](Frame &f) { f.envelope.ts += 300; }, ACCP_OK},
        {"A32 301 s ahead", [](Frame &f) { f.envelope.ts += 301; }, ACCP_E1001},
        {"A32 far ahead", [](Frame &f) { f.envelope.ts = INT64_MAX; }, ACCP_E1001},
        {"ACCP-3.5-07 at its last moment", [](Frame &f) { f.envelope.ttl = 1, f.envelope.ts -= 1; },
         ACCP_OK},
        {"ACCP-3.5-08 a moment later",
         [](Frame &f) { f.envelope.ttl = 1, f.envelope.ts -= 1, f.now_ms += 1; }, ACCP_DROPPED},
        {"ACCP-3.5-07 ttl 0 never ends", [](Frame &f) { f.envelope.ts = 1; }, ACCP_OK},
        {"ts and ttl over 64 bits", [](Frame &f) { f.envelope.ttl = INT64_MAX; }, ACCP_OK},
        {"ACCP-3.6-04 an unknown intent", [](Frame &f) { f.known_intent = false; }, ACCP_E1002},
        {"before its ttl is looked at",
         [](Frame &f) { f.known_intent = false, f.envelope.ttl = 1, f.envelope.ts = 1; },
         ACCP_E1002},
        {"and behind its envelope", [](Frame &f) { f.known_intent = false, f.mid = "abc"; },
         ACCP_E1001},
        {"our sid", [](Frame &f) { f.envelope.fields |= ACCP_ENVELOPE_SID, f.sid = "s"; }, ACCP_OK},
        {"another session's sid",
         [](Frame &f) { f.envelope.fields |= ACCP_ENVELOPE_SID, f.sid = "S"; }, ACCP_E5002},
    };
    for (const Case &one : kCases) EXPECT_EQ(judge(one.change), one.status) << one.name;
}

TEST(Inbox, RulesOfAClosedDeployment) {
    accp::delivery::InboxRules rules;
    rules.require_ts = rules.require_sid = true;
    EXPECT_EQ(judge([](Frame &) {}, rules), ACCP_E1001);
    EXPECT_EQ(judge([](Frame &f) { f.envelope.fields |= ACCP_ENVELOPE_SID, f.sid = "s"; }, rules),
              ACCP_OK);
    rules.require_sid = false;
    EXPECT_EQ(judge([](Frame &f) { f.envelope.fields &= ~uint32_t{ACCP_ENVELOPE_TS}; }, rules),
              ACCP_E1001);
    rules.loose_mid = true;
    EXPECT_EQ(judge([](Frame &f) { f.mid = "m1"; }, rules), ACCP_OK);
    EXPECT_EQ(judge([](Frame &f) { f.mid = std::string(65, 'm'); }, rules), ACCP_E1001);
    rules.skew_ms = 2000;
    EXPECT_EQ(judge([](Frame &f) { f.envelope.ttl = 1, f.envelope.ts -= 3; }, rules), ACCP_OK);
    EXPECT_EQ(judge([](Frame &f) { f.envelope.ttl = 1, f.envelope.ts -= 4; }, rules), ACCP_DROPPED);
}

// ACCP-3.7-01, -02: also under another seq, and while the first frame waits. A refused frame
// changes nothing.
TEST(Inbox, AMidIsTakenOnce) {
    Box box;
    EXPECT_EQ(box.take(Frame(1)), ACCP_OK);
    Frame again(2);
    again.mid = Frame::mid_of(1);
    EXPECT_EQ(box.take(again), ACCP_E3002);
    EXPECT_EQ(box.take(Frame(1)), ACCP_E3002);
    EXPECT_EQ(box.take(Frame(3)), ACCP_HELD);
    EXPECT_EQ(box.take(Frame(3)), ACCP_E3002);
    EXPECT_EQ(box.take(Frame(2)), ACCP_OK);
    EXPECT_EQ(box.applied, "1 2 3 ");
}

// ACCP-3.7-07, A21: nobody gets a reply, and the mid is not stored. The number is used only if it
// was the next.
TEST(Inbox, AnExpiredFrameLeavesNoTrace) {
    Box box;
    Frame late(1);
    late.envelope.ttl = 1;
    late.now_ms += 10'000;
    EXPECT_EQ(box.take(late), ACCP_DROPPED);
    EXPECT_EQ(box.inbox.next("a"), 2);
    late.envelope.seq = 7;
    EXPECT_EQ(box.take(late), ACCP_DROPPED);
    late.envelope.seq = 2;
    late.envelope.fields |= ACCP_ENVELOPE_SID;
    late.sid = "other";
    EXPECT_EQ(box.take(late), ACCP_DROPPED);
    EXPECT_EQ(box.inbox.next("a"), 2);
    Frame fresh(2);
    fresh.mid = late.mid;
    EXPECT_EQ(box.take(fresh), ACCP_OK);
}

TEST(Inbox, HostileNumbers) {
    Box box;
    EXPECT_EQ(box.take(Frame(66)), ACCP_E3003);
    EXPECT_EQ(box.take(Frame(65)), ACCP_HELD);
    EXPECT_TRUE(box.last.new_gap);
    Frame twin(65);
    twin.mid = Frame::mid_of(99);
    EXPECT_EQ(box.take(twin), ACCP_E3003);
    EXPECT_EQ(box.take(Frame(64)), ACCP_HELD);
    EXPECT_FALSE(box.last.new_gap);
    EXPECT_EQ(box.inbox.gap("a").from, 1);
    EXPECT_EQ(box.inbox.gap("a").to, 63);
    Frame largest(98);
    largest.envelope.seq = INT64_MAX - 1;
    EXPECT_EQ(box.take(largest), ACCP_E3003);
}

TEST(Inbox, WindowZeroRefusesEveryGap) {
    accp::delivery::InboxRules rules;
    rules.window = 0;
    Box box(rules);
    EXPECT_EQ(box.take(Frame(2)), ACCP_E3003);
    EXPECT_EQ(box.take(Frame(1)), ACCP_OK);
    EXPECT_EQ(box.take(Frame(2)), ACCP_OK);
}

// Decision A23: waiting frames are applied in order before the state that closes the gap.
TEST(Inbox, AStateClosesAGapThatIsOverdue) {
    Box box;
    EXPECT_EQ(box.take(Frame(1)), ACCP_OK);
    EXPECT_EQ(box.take(Frame(4)), ACCP_HELD);
    EXPECT_EQ(box.take(Frame(9)), ACCP_HELD);
    Frame state(7);
    state.whole_state = true;
    state.now_ms += 4999;
    EXPECT_EQ(box.take(state), ACCP_HELD);
    state = Frame(8);
    state.whole_state = true;
    state.now_ms += 5000;
    EXPECT_EQ(box.take(state), ACCP_OK);
    EXPECT_EQ(box.applied, "1 4 7 8 9 ");
    EXPECT_EQ(box.inbox.next("a"), 10);
    EXPECT_EQ(box.inbox.gap("a").to, 0);
}

TEST(Inbox, BytesThatWaitAreBounded) {
    Box box;
    std::string large(600'000, 'x');
    for (int64_t seq = 2; seq < 4; ++seq) {
        Frame frame(seq);
        accp::delivery::InboxResult judgement;
        ASSERT_EQ(box.inbox.check(frame.arrival(), "s", box.history, judgement).code, ACCP_OK);
        box.inbox.hold(frame.arrival(), large);
    }
    EXPECT_EQ(box.take(Frame(4)), ACCP_E2003);
    EXPECT_EQ(box.take(Frame(1)), ACCP_OK);
    EXPECT_EQ(box.inbox.waiting(), 0u);
    EXPECT_LT(box.memory.used(), 10'000u);
}

// Numbers of sent frames can run out, received ones cannot.
TEST(Inbox, TheEndOfTheRange) {
    for (bool by_sender : {false, true}) {
        accp::delivery::InboxRules rules;
        rules.by_sender = by_sender;
        Box box(rules);
        box.inbox.jump("a", accp::kMaxSeq - 2);
        EXPECT_TRUE(box.inbox.may_send("a", 2).ok());
        EXPECT_EQ(box.inbox.may_send("a", 3).code, ACCP_E2003);
        for (int64_t seq : {accp::kMaxSeq - 1, accp::kMaxSeq}) {
            Frame frame(1);
            frame.envelope.seq = seq, frame.mid = Frame::mid_of(INT64_MAX - seq);
            EXPECT_EQ(box.take(frame), ACCP_OK) << seq;
        }
        EXPECT_EQ(box.inbox.may_send("a", 1).code, ACCP_E2003);
        Frame again(1);
        again.envelope.seq = accp::kMaxSeq, again.mid = Frame::mid_of(99);
        EXPECT_EQ(box.take(again), ACCP_E3003);
        box.inbox.advance("a", INT64_MAX);
        box.inbox.jump("a", INT64_MIN);
        EXPECT_EQ(box.inbox.may_send("b", 1).ok(), by_sender);
        accp::Buffer<char> kept(box.memory);
        accp::Packer packer(kept);
        box.inbox.save(packer);
        accp::Unpacker unpacker({kept.data(), kept.size()});
        accp::delivery::Inbox restored(box.memory, rules);
        ASSERT_TRUE(restored.restore(unpacker));
        EXPECT_EQ(restored.next("a"), INT64_MAX);
    }
}

// Bytes that save() did not write are damage, never a number out of range.
TEST(Inbox, DamagedSendersAreRefused) {
    Box box;
    box.inbox.advance("a", 1);
    box.inbox.advance("a", 5);
    accp::Buffer<char> kept(box.memory);
    accp::Packer packer(kept);
    box.inbox.save(packer);
    for (size_t place = 0; place < kept.size(); ++place) {
        for (int byte : {0, 1, 0x7F, 0x80, 0xFF}) {
            std::string text(kept.data(), kept.size());
            text[place] = static_cast<char>(byte);
            text += "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
            accp::Unpacker unpacker(text);
            accp::delivery::Inbox restored(box.memory, {});
            const bool taken = restored.restore(unpacker);
            EXPECT_TRUE(!taken || restored.next("a") >= 1);
        }
    }
}

TEST(Inbox, EachSenderForItself) {
    accp::delivery::InboxRules rules;
    rules.by_sender = true;
    Box box(rules);
    Frame b(1);
    b.agent = "b", b.mid = Frame::mid_of(77);
    EXPECT_EQ(box.take(Frame(1)), ACCP_OK);
    EXPECT_EQ(box.take(b), ACCP_OK);
    EXPECT_EQ(box.take(Frame(3)), ACCP_HELD);
    EXPECT_EQ(box.inbox.next("b"), 2);
    for (uint32_t i = 2; i < accp::kMaxSenders; ++i) box.inbox.advance("c" + std::to_string(i), 1);
    Frame stranger(2);
    stranger.agent = "stranger", stranger.mid = Frame::mid_of(78);
    EXPECT_EQ(box.take(stranger), ACCP_E2003);
}

}  // namespace
