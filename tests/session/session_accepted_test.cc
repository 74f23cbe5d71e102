// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A failed call has accepted its own frame exactly if it returns ERR_IO and the log has grown, also
// if it first applied frames that waited.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr char kPlain[] = R"({"agent":"b","intent":"esc","operation":"note","payload":{"n":1}})";
constexpr int64_t kGap = 1000;
constexpr accp_status kReadFailures[] = {ACCP_ERR_IO, ACCP_ERR_BUSY, ACCP_ERR_NOMEM};

struct SessionAccepted : testing::Test, OneSession {
    SessionAccepted() {
        accp_hooks hooks = accp_test::hooks_for(this);
        hooks.resolve = [](const char *, size_t, accp_text *out, void *user) {
            *out = {"1", 1};
            return static_cast<SessionAccepted *>(user)->answer;
        };
        hooks.check_policy = [](const accp_policy_case *asked, void *user) {
            const bool is_ours = asked->direction == ACCP_SENT;
            return is_ours ? static_cast<SessionAccepted *>(user)->answer : ACCP_OK;
        };
        hooks.event = [](const accp_event *event, void *user) {
            auto *test = static_cast<SessionAccepted *>(user);
            test->received += event->kind == ACCP_EVENT_RECEIVED && event->seq == test->own_seq;
        };
        config.hooks(hooks);
        renew();
    }
    ~SessionAccepted() override { session.reset(), engine.reset(); }

    static std::string frame(int64_t seq, const std::string &payload = "n:1",
                             const std::string &header = "esc:note") {
        return "@a>" + header + "{" + payload + "}[mid:a0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + ",ts:1714000000]";
    }
    bool is_logged(const std::string &text) {
        accp_log_record record = {};
        for (uint64_t i = 1; i <= accp_session_record_count(session.get()); ++i)
            if (accp_session_record(session.get(), i, &record, nullptr) == ACCP_OK &&
                accp_test::string_of(record.text) == text)
                return true;
        return false;
    }
    // Frame 2 waits, and becomes ready because the session itself sends frame 1.
    void make_ready() {
        answer = ACCP_OK;
        renew_log();
        ASSERT_EQ(receive(session.get(), frame(2)), ACCP_HELD);
        ASSERT_NE(send(session.get(), kPlain), "");
    }
    void renew_log() {
        session.reset();
        session = open_session(engine.get(), "s" + std::to_string(++sessions));
    }
    // Receives a frame that fails. Then it is accepted when it is sent again.
    void check_refused(const std::string &text, int64_t seq, int64_t now = kNow,
                       accp_status repeated = ACCP_OK) {
        received = 0, own_seq = seq;
        EXPECT_EQ(receive(session.get(), text, now),
                  answer == ACCP_ERR_NOMEM ? ACCP_ERR_NOMEM : ACCP_ERR_BUSY);
        EXPECT_FALSE(is_logged(text));
        EXPECT_EQ(received, 0);
        answer = ACCP_OK;
        EXPECT_EQ(receive(session.get(), text, now), repeated);
        EXPECT_EQ(accp_session_expire(session.get(), now + kGap, nullptr), ACCP_OK);
        EXPECT_TRUE(is_logged(text));
    }

    accp_status answer = ACCP_OK;  // of the hooks
    int received = 0, sessions = 0;
    int64_t own_seq = 0;
};

TEST_F(SessionAccepted, AFrameWhoseValueCannotBeReadIsNotReportedAsAccepted) {
    for (const accp_status failure : kReadFailures) {
        make_ready();
        answer = failure;
        check_refused(frame(3, "v:$cold.x"), 3);
    }
}

TEST_F(SessionAccepted, AFrameAfterAWaitingFrameThatFailsIsNotReportedAsAccepted) {
    for (const accp_status failure : kReadFailures) {
        answer = ACCP_OK;
        renew_log();
        ASSERT_EQ(receive(session.get(), frame(2)), ACCP_HELD);
        ASSERT_EQ(receive(session.get(), frame(3, "v:$cold.x")), ACCP_HELD);
        ASSERT_NE(send(session.get(), kPlain), "");
        answer = failure;
        check_refused(frame(4), 4);
    }
}

TEST_F(SessionAccepted, AStateThatClosesAGapIsNotReportedAsAcceptedIfItFails) {
    config.rule(ACCP_RULE_GAP_MS, kGap);
    renew();
    for (const accp_status failure : kReadFailures) {
        answer = ACCP_OK;
        renew_log();
        ASSERT_EQ(receive(session.get(), frame(2)), ACCP_HELD);
        answer = failure;
        check_refused(frame(4, "v:4|state:{k:$cold.x}", "sync:state"), 4, kNow + kGap, ACCP_HELD);
    }
}

TEST_F(SessionAccepted, ASendThatFailsAfterWaitingFramesReturnsNoFrameAndIsRepeated) {
    for (const accp_status failure : kReadFailures) {
        make_ready();
        answer = failure;
        EXPECT_EQ(send(session.get(), kPlain),
                  failure == ACCP_ERR_NOMEM ? "ERR_NOMEM" : "ERR_BUSY");
        EXPECT_TRUE(is_logged(frame(2)));
        answer = ACCP_OK;
        EXPECT_NE(send(session.get(), kPlain).find("seq:3"), std::string::npos);
    }
}

}  // namespace
