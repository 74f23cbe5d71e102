// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests with a deadline (ACCP-3.6-10, 3.7, 4.1, 10.3): what ends the waiting, what does not, and
// that it outlives the handle.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr int64_t kPatience = 10'000;

struct SessionDeadline : testing::Test, OneSession {
    int64_t seq = 100;  // of the other side, which counts for itself

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
    // The cids of what has expired, and their records.
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
    ask("c4", kNow, "sync");  // no request
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

// The deadline is the record's: neither other rules nor a checkpoint between move it.
TEST_F(SessionDeadline, OutlivesCheckpointsAndOtherRules) {
    ask("c1");
    ask("c2");
    set_rule(ACCP_RULE_DEADLINE_MS, 0);
    EXPECT_EQ(answer("done", "c2"), ACCP_OK);  // makes a checkpoint
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
