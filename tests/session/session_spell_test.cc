// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rule `spell` in sessions: frames are cheaper and read as the same message, the log has them
// as sent, and a retry has the same payload. The codec's tests cover the choices.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

std::string payload_of(const std::string &frame) {
    return frame.substr(frame.find('{'), frame.rfind('[') - frame.find('{'));
}

struct SessionSpell : testing::Test {
    SessionSpell() { ours.set_rule(ACCP_RULE_SPELL, 1); }

    OneSession ours, plain, theirs;
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"plan","payload":{"content":")"
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440! \u041a\u0430\u043a "
        "\u0434\u0435\u043b\u0430?\"}}";
};

TEST_F(SessionSpell, CheaperAndTheSame) {
    const std::string cheap = send(ours.session.get(), json),
                      wire = send(plain.session.get(), json);
    EXPECT_NE(payload_of(cheap), payload_of(wire));
    accp_budget spent = {}, before = {};
    EXPECT_EQ(accp_session_budget(ours.session.get(), &spent, nullptr), ACCP_OK);
    EXPECT_EQ(accp_session_budget(plain.session.get(), &before, nullptr), ACCP_OK);
    EXPECT_EQ(spent.hot_used, before.hot_used) << "a context has messages, not frames";
    EXPECT_EQ(receive(theirs.session.get(), cheap), ACCP_OK);
    const std::vector<Delivered> got = drain(theirs.session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(json.substr(json.find("\"content\""),
                                           json.size() - json.find("\"content\"") - 1)),
              std::string::npos);
    EXPECT_EQ(context(ours.session.get()), context(theirs.session.get()));
}

TEST_F(SessionSpell, WhatWasMadeStays) {
    const std::string frame = send(ours.session.get(), json);
    const auto record = [&] {
        accp_log_record out = {};
        EXPECT_EQ(accp_session_record(ours.session.get(), 1, &out, nullptr), ACCP_OK);
        return accp_test::string_of(out.text);
    };
    EXPECT_EQ(record(), frame);
    ours.set_rule(ACCP_RULE_SPELL, 0);  // and after reopening
    EXPECT_EQ(record(), frame);
    const std::string again = text_of([&](accp_text *out, accp_error *err) {
        return accp_session_retry(ours.session.get(), 1, kNow + 5000, out, err);
    });
    EXPECT_EQ(payload_of(again), payload_of(frame));
    EXPECT_NE(again, frame);
}

}  // namespace
