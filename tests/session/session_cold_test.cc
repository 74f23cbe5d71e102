// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A cold store of the host: which values are stored there, and the effects of a store that fails or
// returns wrong values.
#include <map>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

// A cold store in a map that can fail or return wrong values.
struct Cold {
    std::map<std::string, std::string> texts;
    accp_status put_answer = ACCP_OK, get_answer = ACCP_OK;

    static accp_status put(const char *key, size_t key_len, const char *text, size_t text_len,
                           void *user) {
        auto &cold = *static_cast<Cold *>(user);
        if (cold.put_answer == ACCP_OK)
            cold.texts[std::string(key, key_len)] = std::string(text, text_len);
        return cold.put_answer;
    }
    static accp_status get(const char *key, size_t key_len, accp_text *out, void *user) {
        auto &cold = *static_cast<Cold *>(user);
        if (cold.get_answer != ACCP_OK) return cold.get_answer;
        auto found = cold.texts.find(std::string(key, key_len));
        if (found == cold.texts.end()) return ACCP_E2001;
        *out = {found->second.data(), found->second.size()};
        return ACCP_OK;
    }
};

struct SessionCold : testing::Test, OneSession {
    Cold cold;

    SessionCold() {
        accp_hooks hooks = accp_test::hooks_for(&cold);
        hooks.cold_put = &Cold::put;
        hooks.cold_get = &Cold::get;
        config.rule(ACCP_RULE_SHARES_STORE, 1).hooks(hooks);
        renew();
    }
    ~SessionCold() override { session.reset(), engine.reset(); }  // before the hooks that they use
};

// ACCP-5.1: only values of the cold tier go to the host's store.
TEST_F(SessionCold, KeepsColdValuesAndNoOthers) {
    EXPECT_EQ(put(session.get(), "cold.plan", R"({"steps":[1,2]})"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "warm.plan", R"({"steps":[3]})"), ACCP_OK);
    ASSERT_EQ(cold.texts.size(), 1u);
    EXPECT_EQ(cold.texts.begin()->first.size(), 64u);
    EXPECT_EQ(cold.texts.begin()->second, R"({"steps":[1,2]})");
    EXPECT_EQ(resolve(session.get(), "cold.plan.steps.1"), "2");
    EXPECT_EQ(resolve(session.get(), "warm.plan.steps.0"), "3");
}

// A value sent by reference is complete on the other side, and after the session is reopened.
TEST_F(SessionCold, CarriesWhatLeavesByReference) {
    const std::string essay(400, 'x');
    std::string frame = send(
        session.get(), R"({"agent":"a","intent":"done","operation":"write","payload":{"text":")" +
                           essay + R"("}})");
    EXPECT_NE(frame.find("text:$cold.t1"), std::string::npos) << frame;
    EXPECT_EQ(cold.texts.size(), 1u);
    session = open_session(engine.get());
    EXPECT_EQ(resolve(session.get(), "cold.t1"), '"' + essay + '"');
    EXPECT_NE(resolve(session.get(), "cold.m1").find("\"$ref\":\"cold.t1\""), std::string::npos);
}

TEST_F(SessionCold, ExpiryAndGrantsStayTheSessions) {
    Handle<accp_session> other = open_session(engine.get(), "other");
    EXPECT_EQ(put(session.get(), "cold.plan", "[7]", kNow + 10), ACCP_OK);
    EXPECT_EQ(accp_session_add_grant(session.get(), "other", 5, "cold.plan", 9, 0, nullptr),
              ACCP_OK);
    auto from_other = [&] {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_session_resolve(other.get(), "cold.plan", 9, "s", 1, kNow, out, err);
        });
    };
    EXPECT_EQ(from_other(), "[7]");
    EXPECT_EQ(accp_session_remove_grant(session.get(), "other", 5, "cold.plan", 9, nullptr),
              ACCP_OK);
    EXPECT_EQ(from_other(), "E5002");
    EXPECT_EQ(resolve(session.get(), "cold.plan", kNow + 11), "E2002");
}

// If a put fails, the session is unchanged, and the call returns the host's code.
TEST_F(SessionCold, AFailedPutChangesNothing) {
    cold.put_answer = ACCP_ERR_IO;
    EXPECT_EQ(put(session.get(), "cold.plan", "[1]"), ACCP_ERR_IO);
    EXPECT_EQ(resolve(session.get(), "cold.plan"), "E2001");
    cold.put_answer = ACCP_E3001;
    EXPECT_EQ(put(session.get(), "cold.plan", "[1]"), ACCP_E3001)
        << "any code is the host's to choose";
    cold.put_answer = ACCP_OK;
    EXPECT_EQ(put(session.get(), "cold.plan", "[1]"), ACCP_OK);
    EXPECT_EQ(resolve(session.get(), "cold.plan"), "[1]");
}

TEST_F(SessionCold, WhatIsLostOrChangedIsDamage) {
    EXPECT_EQ(put(session.get(), "cold.plan", "[1]"), ACCP_OK);
    cold.get_answer = ACCP_ERR_IO;
    EXPECT_EQ(resolve(session.get(), "cold.plan"), "ERR_IO");
    cold.get_answer = ACCP_OK;
    cold.texts.begin()->second = "[2]";
    EXPECT_EQ(resolve(session.get(), "cold.plan"), "ERR_CORRUPT");
    cold.texts.clear();
    EXPECT_EQ(resolve(session.get(), "cold.plan"), "ERR_CORRUPT");
    Handle<accp_engine> without = open_engine(store.get());
    session = open_session(without.get());
    EXPECT_EQ(resolve(session.get(), "cold.plan"), "ERR_ARG") << "an engine without the cold store";
    session.reset();  // before its engine
}

// Opening reads the records and the values of their refs. If the cold store fails, that is not
// damage: opening works when the store works again.
TEST_F(SessionCold, OneThatDoesNotAnswerIsNotDamageOfTheSession) {
    const std::string essay(400, 'x');
    send(session.get(), R"({"agent":"a","intent":"req","operation":"write","payload":{"text":")" +
                            essay + R"("}})");
    session.reset();
    accp_session *made = nullptr;
    for (accp_status answer : {ACCP_ERR_IO, ACCP_ERR_BUSY}) {
        cold.get_answer = answer;
        EXPECT_EQ(accp_session_open(engine.get(), "s", 1, 0, &made, nullptr), answer);
    }
    Handle<accp_engine> without = open_engine(store.get());
    accp_error error = {};
    EXPECT_EQ(accp_session_open(without.get(), "s", 1, 0, &made, &error), ACCP_ERR_ARG);
    EXPECT_NE(std::string(error.message).find("cold store"), std::string::npos) << error.message;
    cold.get_answer = ACCP_OK;
    session = open_session(engine.get());
    EXPECT_EQ(resolve(session.get(), "cold.t1"), '"' + essay + '"');
}

TEST_F(SessionCold, OneFunctionWithoutTheOtherIsRefused) {
    accp_hooks none = accp_test::hooks_for(nullptr), put_only = none, get_only = none;
    put_only.cold_put = &Cold::put;
    get_only.cold_get = &Cold::get;
    EXPECT_EQ(accp_config_set_hooks(config.get(), &put_only, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_config_set_hooks(config.get(), &get_only, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_config_set_hooks(config.get(), &none, nullptr), ACCP_OK);
}

}  // namespace
