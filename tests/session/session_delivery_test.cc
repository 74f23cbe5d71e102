// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A delivery has the mid and the cid of its frame. That of an expired request has only the cid.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

struct SessionDelivery : testing::Test, OneSession {
    static std::string mid(int64_t seq) { return "b0000000000" + std::to_string(seq); }
    static std::string frame(int64_t seq, const std::string &more = "",
                             const std::string &payload = "n:1") {
        return "@a>req:plan{" + payload + "}[mid:" + mid(seq) + ",seq:" + std::to_string(seq) +
               ",ts:1714000000" + more + "]";
    }
    // The delivery of a frame, if there is exactly one.
    Delivered only(const std::string &text, int64_t now = kNow) {
        EXPECT_EQ(receive(session.get(), text, now), ACCP_OK) << text;
        const std::vector<Delivered> all = drain(session.get());
        EXPECT_EQ(all.size(), 1u) << text;
        return all.empty() ? Delivered() : all[0];
    }
};

TEST_F(SessionDelivery, HasMidAndCidOfItsFrame) {
    Delivered one = only(frame(1, ",cid:c1,aid:b00000000009"));
    EXPECT_EQ(one.mid, mid(1));
    EXPECT_EQ(one.cid, "c1");
    EXPECT_NE(one.json, "");
    one = only(frame(2, ",cid:42"));
    EXPECT_EQ(one.mid, mid(2));
    EXPECT_EQ(one.cid, "42") << "text, also where it looks like a number";
}

TEST_F(SessionDelivery, OfAFrameWithoutCidHasNone) {
    EXPECT_EQ(only(frame(1, ",cid:c1")).cid, "c1");
    const Delivered one = only(frame(2));
    EXPECT_EQ(one.mid, mid(2));
    EXPECT_EQ(one.cid, "") << "not that of the one before either";
    EXPECT_EQ(only(frame(3, "", "cid:c3")).cid, "") << "a member of the payload is the message's";
}

// Each delivery has its own mid and cid, also if one call returns several, and for refused frames.
// The delivery for a gap has neither.
TEST_F(SessionDelivery, OfFramesThatWaitedHasTheirs) {
    EXPECT_EQ(receive(session.get(), frame(4, ",cid:c4", "schema:ZZ")), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), frame(3, ",cid:c3")), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), frame(2)), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), frame(1, ",cid:c1")), ACCP_OK);
    const struct {
        accp_status status;
        int64_t seq;
        std::string mid, cid;
    } wanted[] = {{ACCP_E3003, 4, "", ""},
                  {ACCP_OK, 1, mid(1), "c1"},
                  {ACCP_OK, 2, mid(2), ""},
                  {ACCP_OK, 3, mid(3), "c3"},
                  {ACCP_E1003, 4, mid(4), "c4"}};
    const std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), std::size(wanted));
    for (size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(got[i].status, wanted[i].status);
        EXPECT_EQ(got[i].seq, wanted[i].seq);
        EXPECT_EQ(got[i].mid, wanted[i].mid);
        EXPECT_EQ(got[i].cid, wanted[i].cid);
        EXPECT_EQ(got[i].json.empty(), wanted[i].status != ACCP_OK);
    }
}

// A waiting frame that is refused unread: its agent now belongs to the host, or a sent part has
// used its number.
TEST_F(SessionDelivery, OfOneThatWasNotReadHasItsMidAlone) {
    auto refused = [&](accp_status status) {
        const std::vector<Delivered> got = drain(session.get());
        ASSERT_EQ(got.size(), 1u);
        EXPECT_EQ(got[0].status, status);
        EXPECT_EQ(got[0].seq, 2);
        EXPECT_EQ(got[0].mid, mid(2));
        EXPECT_EQ(got[0].cid, "");
        EXPECT_EQ(got[0].json, "");
    };
    auto say = [&](const std::string &agent, const std::string &content) {
        return send(session.get(),
                    R"({"agent":")" + agent +
                        R"(","intent":"req","operation":"plan","payload":{"text":")" + content +
                        "\"}}");
    };
    EXPECT_EQ(receive(session.get(), frame(2, ",cid:c2")), ACCP_HELD);
    drain(session.get());
    ASSERT_EQ(say("a", "x")[0], '@');  // uses number 1
    ASSERT_EQ(say("us", "x")[0], '@');
    refused(ACCP_E5001);

    config.rule(ACCP_RULE_PARTS, 1);
    renew();
    session = open_session(engine.get(), "another");
    EXPECT_EQ(receive(session.get(), frame(2, ",cid:c2")), ACCP_HELD);
    drain(session.get());
    std::string words;
    for (int i = 0; i < 300; ++i) words += " word" + std::to_string(i);
    ASSERT_EQ(say("us", words)[0], '@');  // uses 1, 2 and more
    ASSERT_EQ(say("us", "x")[0], '@');
    refused(ACCP_E3003);
}

// For a message in parts, the mid is that of the completing part, which need not be the last one.
TEST_F(SessionDelivery, OfPartsHasTheMidOfTheOneThatMadeItWhole) {
    set_rule(ACCP_RULE_PARTS, 1);
    EXPECT_EQ(receive(session.get(), frame(1, ",cid:c1,fi:2,ft:3", "z:3")), ACCP_OK);
    EXPECT_EQ(receive(session.get(), frame(2, ",cid:c1,fi:0,ft:3", "x:1")), ACCP_OK);
    EXPECT_TRUE(drain(session.get()).empty());
    reopen();
    Delivered one = only(frame(3, ",cid:c1,fi:1,ft:3", "y:2"));
    EXPECT_EQ(one.mid, mid(3));
    EXPECT_EQ(one.cid, "c1");
    EXPECT_EQ(one.seq, 3);
    EXPECT_NE(one.json.find(R"("x":1,"y":2,"z":3)"), std::string::npos) << one.json;
}

TEST_F(SessionDelivery, OfARequestThatWasNotAnsweredHasItsCid) {
    set_rule(ACCP_RULE_DEADLINE_MS, 1000);
    const std::string ask = R"({"agent":"us","intent":"req","operation":"plan","payload":{})";
    send(session.get(), ask + R"(,"meta":{"cid":"c1"}})");
    const std::string frame = send(session.get(), ask + "}", kNow + 1);
    reopen();
    ASSERT_EQ(accp_session_expire(session.get(), kNow + 1002, nullptr), ACCP_OK);
    const std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(got[0].cid, "c1");
    EXPECT_EQ(got[1].cid, frame.substr(frame.find("mid:") + 4, 12)) << "the mid of one without";
    for (const Delivered &one : got) {
        EXPECT_EQ(one.status, ACCP_E3001);
        EXPECT_EQ(one.json, "");
        EXPECT_EQ(one.mid, "");
    }
}

// A frame of one sender too many: the failure has the count and the limit.
TEST_F(SessionDelivery, ARefusalOverALimitHasBothNumbers) {
    set_rule(ACCP_RULE_BY_SENDER, 1);
    auto from = [](int64_t sender) {
        return "@a" + std::to_string(sender) + ">req:plan{n:1}[mid:b" +
               std::to_string(20000000000 + sender) + ",seq:1,ts:1714000000]";
    };
    accp_status status = ACCP_OK;
    accp_error error = {};
    int64_t senders = 0;
    while (status == ACCP_OK && senders < 1000)
        status = receive(session.get(), from(++senders), kNow, &error);
    ASSERT_EQ(status, ACCP_E2003) << accp_status_code_name(status) << error.message;
    EXPECT_EQ(error.had, static_cast<uint64_t>(senders));
    EXPECT_EQ(error.limit, static_cast<uint64_t>(senders - 1));
}

}  // namespace
