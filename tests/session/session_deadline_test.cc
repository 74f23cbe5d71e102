// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests with a deadline (ACCP-3.6-10, 3.7, 4.1, 10.3): which messages end the wait, and that it
// survives reopening.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr int64_t kPatience = 10'000;

struct SessionDeadline : testing::Test, OneSession {
    int64_t seq = 100;  // of the other side, which has its own count

    SessionDeadline() {
        config.rule(ACCP_RULE_DEADLINE_MS, kPatience).rule(ACCP_RULE_BY_SENDER, 1);
        renew();
    }
    std::string ask(const std::string &cid, int64_t now = kNow, const std::string &intent = "req") {
        return send(session.get(),
                    R"({"agent":"a","intent":")" + intent +
                        R"(","operation":"plan","payload":{},"meta":{"cid":")" + cid + "\"}}",
                    now);
    }
    accp_status answer(const std::string &intent, const std::string &cid, int64_t now = kNow) {
        std::string n = std::to_string(++seq);
        return receive(session.get(),
                       "@b>" + intent + ":plan{n:1}[mid:b00000000" + n +
                           ",seq:" + std::to_string(seq - 100) + ",cid:" + cid + "]",
                       now);
    }
    // The cids of the expired requests, and their records.
    std::string expire(int64_t now) {
        EXPECT_EQ(accp_session_expire(session.get(), now, nullptr), ACCP_OK);
        std::string all;
        for (auto &one : drain(session.get()))
            if (one.status == ACCP_E3001)
                all += one.json + one.cid + " " + std::to_string(one.seq) + ";";
        return all;
    }
    std::string retry(uint64_t record, int64_t now) {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_session_retry(session.get(), record, now, out, err);
        });
    }
};

TEST_F(SessionDeadline, IsSaidOnceInTheOrderOfDeadlines) {
    ask("c2", kNow + 5);
    ask("c1", kNow);
    ask("c3", kNow + 100, "qry");
    ask("c4", kNow, "sync");  // not a request
    EXPECT_EQ(accp_session_next_deadline(session.get()), kNow + kPatience);
    EXPECT_EQ(expire(kNow + kPatience), "") << "not before";
    EXPECT_EQ(expire(kNow + kPatience + 6), "c1 2;c2 1;");
    EXPECT_EQ(expire(kNow + kPatience + 6), "") << "once";
    reopen();
    EXPECT_EQ(expire(kNow + kPatience + 6), "") << "whoever opens it";
    EXPECT_EQ(accp_session_next_deadline(session.get()), kNow + kPatience + 100);
    EXPECT_EQ(accp_session_record_count(session.get()), 5u)
        << "what finds nothing leaves no record";
}

TEST_F(SessionDeadline, WhatEndsTheWaiting) {
    for (const char *cid : {"c1", "c2", "c3", "c4", "c5", "c6"}) ask(cid);
    EXPECT_EQ(answer("done", "c1"), ACCP_OK);
    EXPECT_EQ(answer("fail", "c2"), ACCP_OK);
    EXPECT_EQ(answer("ack", "c3"), ACCP_OK);
    EXPECT_EQ(answer("cancel", "c4"), ACCP_OK);
    EXPECT_EQ(answer("req", "c5"), ACCP_OK) << "a request is no answer";
    EXPECT_EQ(answer("wait", "c6", kNow + 4000), ACCP_OK);
    EXPECT_EQ(expire(kNow + kPatience + 1), "c5 5;");
    EXPECT_EQ(answer("done", "c5", kNow + kPatience + 2), ACCP_OK) << "a late answer is a message";
    reopen();
    EXPECT_EQ(expire(kNow + kPatience + 4000), "");
    EXPECT_EQ(expire(kNow + kPatience + 4001), "c6 6;");
    EXPECT_EQ(accp_session_next_deadline(session.get()), INT64_MAX);
}

// A request without a cid is its own chain (decision A28).
TEST_F(SessionDeadline, ARequestWithoutCidIsItsMid) {
    std::string frame =
        send(session.get(), R"({"agent":"a","intent":"req","operation":"plan","payload":{}})");
    std::string mid = frame.substr(frame.find("mid:") + 4, 12);
    EXPECT_EQ(expire(kNow + kPatience + 1), mid + " 1;");
    std::string again = retry(1, kNow + kPatience + 2);
    EXPECT_NE(again.find(",seq:2,ts:1714000010,cid:" + mid), std::string::npos) << again;
    EXPECT_EQ(again.find("mid:" + mid), std::string::npos);
    EXPECT_EQ(answer("done", mid, kNow + kPatience + 3), ACCP_OK);
    EXPECT_EQ(accp_session_next_deadline(session.get()), INT64_MAX);
}

TEST_F(SessionDeadline, SentAgainItWaitsAnew) {
    ask("c1");
    EXPECT_EQ(expire(kNow + kPatience + 1), "c1 1;");
    std::string again = retry(1, kNow + 20'000);
    EXPECT_EQ(again.substr(0, again.find('[')), "@a>req:plan{}");
    EXPECT_EQ(accp_session_next_deadline(session.get()), kNow + 20'000 + kPatience);
    reopen();
    EXPECT_EQ(expire(kNow + 20'000 + kPatience + 1), "c1 3;");
    EXPECT_EQ(retry(2, kNow), "ERR_ARG") << "a mark of time is no frame";
    EXPECT_EQ(retry(9, kNow), "E2001");
    EXPECT_EQ(answer("req", "c7"), ACCP_OK);
    EXPECT_EQ(retry(accp_session_record_count(session.get()), kNow), "ERR_ARG") << "it came in";
    EXPECT_EQ(receive(session.get(), again), ACCP_E3002) << "its mid was noted";
}

// The newest reply decides whether a request may be sent again (specification 3.7).
TEST_F(SessionDeadline, WhatWasAnsweredForGoodIsNotSentAgain) {
    static constexpr struct {
        const char *answers, *retried;  // the headers of the frames, separated by blanks
    } kCases[] = {
        {"done:plan{n:1}", "ERR_ARG"},
        {"fail:error{code:E1004|msg:no}", "ERR_ARG"},
        {"fail:error{code:E3003|msg:gap}", "sent"},
        {"fail:error{code:E3003|msg:gap|retry:false}", "ERR_ARG"},
        {"fail:error{code:E1004|msg:no|retry:true}", "sent"},
        {"fail:error{code:E1004|msg:no} fail:error{code:E3003|msg:gap}", "sent"},
        {"fail:error{code:E3003|msg:gap} done:plan{n:1}", "ERR_ARG"},
        {"fail:plan{why:tired}", "sent"},  // a failure of the application
        {"wait:plan{n:1}", "sent"},
    };
    int chain = 0, n = 100;
    for (const auto &row : kCases) {
        const std::string cid = "c" + std::to_string(++chain);
        ask(cid);
        const uint64_t asked = accp_session_record_count(session.get());
        for (std::string left = row.answers, one; !left.empty();) {
            one = left.substr(0, left.find(' '));
            left.erase(0, one.size() + 1);
            ++n;
            ASSERT_EQ(
                receive(session.get(), "@b>" + one + "[mid:b00000000" + std::to_string(n) +
                                           ",seq:" + std::to_string(n - 100) + ",cid:" + cid + "]"),
                ACCP_OK)
                << one;
        }
        const std::string again = retry(asked, kNow);
        EXPECT_EQ(again[0] == '@' ? "sent" : again, row.retried) << row.answers;
        reopen();
        EXPECT_EQ(retry(asked, kNow)[0] == '@', row.retried == std::string("sent")) << row.answers;
    }
}

// fi and ft can be a message's own metadata if the session has no parts.
TEST_F(SessionDeadline, AMessageWithTheMetadataOfAPartIsSentAgain) {
    for (const char *own : {"\"fi\":1,\"ft\":2", "\"fi\":\"x\"", "\"ft\":3,\"cid\":\"c\""}) {
        EXPECT_EQ(receive(session.get(), "@b>req:plan{n:1}[mid:b00000000101,seq:1]") < 0, false);
        const std::string sent =
            send(session.get(),
                 std::string(
                     R"({"agent":"a","intent":"done","operation":"plan","payload":{},"meta":{)") +
                     own + "}}");
        ASSERT_EQ(sent[0], '@') << sent;
        const std::string again = retry(accp_session_record_count(session.get()), kNow);
        EXPECT_EQ(again.substr(0, again.find('[')), sent.substr(0, sent.find('['))) << again;
    }
}

// A waiting state closes the gap before it when gap_ms has passed, at the next expire().
TEST_F(SessionDeadline, AStateThatWaitsClosesItsGap) {
    const auto state = [](int n, int version) {
        return "@b>sync:state{v:" + std::to_string(version) +
               "|state:{k:" + std::to_string(version) + "}}[mid:b00000000" +
               std::to_string(100 + n) + ",seq:" + std::to_string(n) + "]";
    };
    EXPECT_EQ(receive(session.get(), state(1, 1)), ACCP_OK);
    EXPECT_EQ(receive(session.get(), "@b>req:plan{n:3}[mid:b00000000103,seq:3]", kNow), ACCP_HELD);
    EXPECT_EQ(accp_session_next_deadline(session.get()), INT64_MAX) << "no state waits";
    EXPECT_EQ(receive(session.get(), state(4, 7), kNow + 1), ACCP_HELD);
    EXPECT_EQ(accp_session_next_deadline(session.get()), kNow + 4999);
    drain(session.get());
    expire(kNow + 4999);
    EXPECT_EQ(drain(session.get()).size(), 0u);
    EXPECT_EQ(accp_session_expire(session.get(), kNow + 5000, nullptr), ACCP_OK);
    std::string order;
    for (auto &one : drain(session.get())) order += std::to_string(one.seq) + " ";
    EXPECT_EQ(order, "3 4 ");
    int64_t version = 0;
    accp_session_state(session.get(), &version);
    EXPECT_EQ(version, 7);
    EXPECT_EQ(receive(session.get(), state(2, 2), kNow + 5001), ACCP_E3003) << "given up";
    EXPECT_EQ(accp_session_next_deadline(session.get()), INT64_MAX);
    reopen();
    EXPECT_EQ(receive(session.get(), "@b>req:plan{n:5}[mid:b00000000105,seq:5]", kNow), ACCP_OK);
}

// A delta does not close a gap, because the missing frame may contain its base. It waits without
// limit.
TEST_F(SessionDeadline, ADeltaClosesNoGap) {
    const auto change = [](int n, const std::string &how) {
        return "@b>sync:state{v:" + std::to_string(n) + "|" + how + ":{k" + std::to_string(n) +
               ":1}}[mid:b00000000" + std::to_string(100 + n) + ",seq:" + std::to_string(n) + "]";
    };
    EXPECT_EQ(receive(session.get(), change(1, "state")), ACCP_OK);
    EXPECT_EQ(receive(session.get(), change(3, "delta")), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), change(4, "delta"), kNow + 6000), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), "@b>sync:state{}[mid:b00000000105,seq:5]", kNow + 6000),
              ACCP_HELD)
        << "without a state";
    EXPECT_EQ(accp_session_next_deadline(session.get()), INT64_MAX);
    expire(kNow + 60'000);
    EXPECT_EQ(receive(session.get(), change(2, "delta"), kNow + 60'001), ACCP_OK);
    EXPECT_EQ(state_of(session.get()), R"({"k1":1,"k2":1,"k3":1,"k4":1})");
}

// An unreadable state closes no gap. A state in parts does when it is complete.
TEST_F(SessionDeadline, AStateInPartsClosesItsGapWhenItIsWhole) {
    set_rule(ACCP_RULE_PARTS, 1);
    const auto part = [](int n, const std::string &payload, int index) {
        return "@b>sync:state{" + payload + "}[mid:b00000000" + std::to_string(100 + n) +
               ",seq:" + std::to_string(n) + ",cid:c1,fi:" + std::to_string(index) + ",ft:2]";
    };
    EXPECT_EQ(receive(session.get(), "@b>req:plan{n:2}[mid:b00000000102,seq:2]"), ACCP_HELD);
    const int64_t late = kNow + 6000;
    EXPECT_EQ(receive(session.get(),
                      "@b>sync:state{v:1|state:{k:1}|schema:ZZ}"
                      "[mid:b00000000103,seq:3]",
                      late),
              ACCP_HELD);
    EXPECT_EQ(receive(session.get(), part(6, "state:{k:7}", 1), late), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), part(5, "v:7", 0), late), ACCP_OK);
    EXPECT_EQ(state_of(session.get()), R"({"k":7})");
    EXPECT_EQ(receive(session.get(), part(9, "state:{k:8}", 1), late), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), part(8, "v:8", 0), late), ACCP_HELD);
    expire(late + 5000);
    EXPECT_EQ(state_of(session.get()), R"({"k":8})");
}

// The deadline is that of the record: other rules and checkpoints do not change it.
TEST_F(SessionDeadline, OutlivesCheckpointsAndOtherRules) {
    ask("c1");
    ask("c2");
    set_rule(ACCP_RULE_DEADLINE_MS, 0);
    EXPECT_EQ(answer("done", "c2"), ACCP_OK);  // creates a checkpoint
    EXPECT_EQ(accp_session_newest_checkpoint(session.get()), 1u);
    ask("c3");
    reopen();
    EXPECT_EQ(accp_session_next_deadline(session.get()), kNow + kPatience);
    EXPECT_EQ(expire(kNow + kPatience + 1), "c1 1;");
    EXPECT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
    reopen();
    EXPECT_EQ(expire(INT64_MAX), "");
}

TEST_F(SessionDeadline, TooManyAreRefusedAndChangeNothing) {
    set_rule(ACCP_RULE_DURABLE, 0);
    for (int i = 0; i < 4096; ++i) ASSERT_EQ(ask("c" + std::to_string(i))[0], '@');
    EXPECT_EQ(ask("one_more"), "E2003");
    EXPECT_EQ(accp_session_record_count(session.get()), 4096u);
    EXPECT_EQ(ask("c7", kNow + 1)[0], '@') << "one that waits already waits anew";
    EXPECT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
    reopen();
    EXPECT_EQ(ask("one_more"), "E2003");
    EXPECT_EQ(answer("done", "c8"), ACCP_OK);
    EXPECT_EQ(ask("one_more")[0], '@');
}

}  // namespace
