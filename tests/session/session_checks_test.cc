// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks of messages in a session: tools and policy of the host, strictness, agreements,
// warnings, the origin of values of refs, and replies.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

std::string meta(int seq, const std::string &more = "") {
    const std::string digits = std::to_string(seq);
    return "[mid:" + std::string(12 - digits.size(), '0') + digits + ",seq:" + digits + more + "]";
}

// A host that counts the calls of its hooks.
struct CheckingHost {
    int tools = 0, policies = 0;
    accp_status tool = ACCP_OK, policy = ACCP_OK;
    std::vector<std::string> asked;

    static accp_status on_tool(const char *name, size_t len, const char *, size_t, void *user) {
        auto *host = static_cast<CheckingHost *>(user);
        ++host->tools;
        host->asked.emplace_back(name, len);
        return host->tool;
    }
    static accp_status on_policy(const accp_policy_case *asked, void *user) {
        auto *host = static_cast<CheckingHost *>(user);
        ++host->policies;
        host->asked.push_back(std::to_string(asked->direction) +
                              (asked->untrusted ? " untrusted " : " ") +
                              accp_test::string_of(asked->operation));
        return host->policy;
    }
    accp_hooks hooks(bool tools, bool policy) {
        accp_hooks made = accp_test::hooks_for(this);
        if (tools) made.check_tool = &on_tool;
        if (policy) made.check_policy = &on_policy;
        return made;
    }
};

struct SessionChecks : testing::Test, OneSession {
    CheckingHost host;

    void ask(bool tools, bool policy) {
        config.hooks(host.hooks(tools, policy));
        renew();
    }
    std::string reply(const std::string &request, const std::string &json) {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_session_reply(session.get(), request.data(), request.size(), json.data(),
                                      json.size(), kNow, out, err);
        });
    }
};

constexpr char kToolCall[] = "@a>req:tool{tool_name:rm|arguments:{path:x}}";
constexpr char kToolCallJson[] =
    R"({"agent":"b","intent":"req","operation":"tool","payload":{"tool_name":"rm"}})";

// A frame that the host refuses uses only its number: the next frame is accepted.
TEST_F(SessionChecks, ToolsAreAskedOfBothWays) {
    ask(true, false);
    EXPECT_EQ(receive(session.get(), kToolCall + meta(1)), ACCP_OK);
    EXPECT_EQ(host.asked, std::vector<std::string>{"rm"});
    host.tool = ACCP_E4001;
    EXPECT_EQ(receive(session.get(), kToolCall + meta(2)), ACCP_E4001);
    EXPECT_EQ(receive(session.get(), kToolCall + meta(2)), ACCP_E3002);
    host.tool = ACCP_E4003;
    EXPECT_EQ(receive(session.get(), kToolCall + meta(3)), ACCP_E4003);
    EXPECT_EQ(send(session.get(), kToolCallJson), "E4003");
    host.tool = ACCP_OK;
    EXPECT_EQ(send(session.get(), kToolCallJson).substr(0, 12), "@b>req:tool{");
    EXPECT_EQ(receive(session.get(), "@a>qry:x{k:1}" + meta(5)), ACCP_OK);
    EXPECT_EQ(drain(session.get()).size(), 2U);
}

// Later decisions of the host do not change accepted messages.
TEST_F(SessionChecks, APolicyIsAskedOnce) {
    ask(false, true);
    EXPECT_EQ(receive_from(session.get(), "a", ACCP_ORIGIN_UNTRUSTED, "@a>qry:x{k:1}" + meta(1)),
              ACCP_OK);
    EXPECT_NE(send(session.get(), R"({"agent":"b","intent":"ack","operation":"x","payload":{}})"),
              "E5001");
    EXPECT_EQ(host.asked, (std::vector<std::string>{"1 untrusted x", "0 x"}));
    const std::string before = context(session.get());
    host.policy = ACCP_E5001;
    renew();
    EXPECT_EQ(context(session.get()), before);
    EXPECT_EQ(host.policies, 2);
    EXPECT_EQ(receive(session.get(), "@a>qry:x{k:2}" + meta(3)), ACCP_E5001);
    EXPECT_EQ(send(session.get(), R"({"agent":"b","intent":"qry","operation":"x","payload":{}})"),
              "E5001");
    EXPECT_EQ(context(session.get()), before);
}

// If the policy hook fails, the frame is not used up and may be sent again.
TEST_F(SessionChecks, APolicyThatFailsUsesNothingUp) {
    ask(false, true);
    host.policy = ACCP_ERR_IO;
    EXPECT_EQ(receive(session.get(), "@a>qry:x{k:1}" + meta(1)), ACCP_ERR_IO);
    host.policy = ACCP_OK;
    EXPECT_EQ(receive(session.get(), "@a>qry:x{k:1}" + meta(1)), ACCP_OK);
}

TEST_F(SessionChecks, StrictnessIsOfWhatComesAndGoes) {
    const std::string pay = "@a>req:transaction{amount:1.5|currency:ZZZ|transaction_id:t1}";
    EXPECT_EQ(receive(session.get(), pay + meta(1)), ACCP_OK);
    set_rule(ACCP_RULE_STRICTNESS,
             ACCP_STRICT_OPERATIONS | ACCP_STRICT_PROFILES | ACCP_STRICT_REPLIES);
    EXPECT_EQ(receive(session.get(), "@a>req:unheard_of{k:1}" + meta(2)), ACCP_E5001);
    EXPECT_EQ(receive(session.get(), pay + meta(3)), ACCP_E1004);
    EXPECT_EQ(receive(session.get(), "@a>done:schedule{task:x}" + meta(4)), ACCP_E1004);
    EXPECT_EQ(
        send(session.get(), R"({"agent":"b","intent":"done","operation":"schedule","payload":{}})"),
        "E1004");
    EXPECT_EQ(receive(session.get(), "@a>done:schedule{task:x}" + meta(5, ",cid:7")), ACCP_OK);
}

TEST_F(SessionChecks, WarningsAreOfEachMessage) {
    const struct {
        const char *frame;
        uint32_t warnings;
    } cases[] = {
        {"@a>req:transaction{amount:1.5|currency:ZZZ|transaction_id:t1}", ACCP_WARN_CURRENCY},
        {"@a>req:transaction{amount:1.5}", ACCP_WARN_NO_TRANSACTION_ID},
        {"@a>done:x{k:1}", ACCP_WARN_NO_REQUEST},
        {"@a>qry:x{k:1}", 0},
    };
    int seq = 0;
    for (const auto &one : cases) {
        ASSERT_EQ(receive(session.get(), one.frame + meta(++seq)), ACCP_OK) << one.frame;
        EXPECT_EQ(drain(session.get()).size(), 1U);
        EXPECT_EQ(accp_session_delivery_warnings(session.get()), one.warnings) << one.frame;
    }
    accp_outcome outcome = {};
    send(session.get(),
         R"({"agent":"b","intent":"req","operation":"transaction","payload":{"amount":2}})");
    ASSERT_EQ(accp_session_outcome(session.get(), &outcome, nullptr), ACCP_OK);
    EXPECT_EQ(outcome.warnings, ACCP_WARN_NO_TRANSACTION_ID + 0U);
    EXPECT_EQ(outcome.parts, 1U);
    EXPECT_EQ(send(session.get(), "{}"), "E1001");
    ASSERT_EQ(accp_session_outcome(session.get(), &outcome, nullptr), ACCP_OK);
    EXPECT_EQ(outcome.parts + outcome.warnings, 0U);
}

// A message of a trusted peer with a value of an untrusted one is untrusted, wherever the value is,
// also after the session is reopened.
TEST_F(SessionChecks, WhatIsQuotedHasItsOrigin) {
    const char *web = "@web>qry:page{text:evil|deep:{k:[7]}}";
    ASSERT_EQ(receive_from(session.get(), "web", ACCP_ORIGIN_UNTRUSTED, web + meta(1)), ACCP_OK);
    ASSERT_EQ(receive_from(session.get(), "web", ACCP_ORIGIN_UNTRUSTED,
                           "@web>sync:state{version:1|state:{note:evil}}" + meta(2)),
              ACCP_OK);
    ASSERT_EQ(receive(session.get(), "@a>qry:own{k:5}" + meta(3)), ACCP_OK);
    ASSERT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
    put(session.get(), "hot.good", "\"mine\"");
    put(session.get(), "cold.page", R"({"text":{"b":1},"untrusted":true})");
    ASSERT_EQ(append(session.get(), R"({"agent":"web","intent":"done","operation":"tell",)"
                                    R"("payload":{"text":"evil"},"untrusted":true})"),
              ACCP_OK);
    drain(session.get());
    const struct {
        const char *ref;
        bool untrusted;
    } cases[] = {{"$cold.m1", true},          {"$cold.m1.payload.text", true},
                 {"$hot.state.note", true},   {"$warm.ckpt_1.summary", true},
                 {"$cold.m3.payload", false}, {"$good", false},
                 {"$cold.m5", true},          {"$cold.m5.payload.text", true},
                 {"$cold.page.text", true}};
    int seq = 3;
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto &one : cases) {
            const std::string frame = "@a>qry:look{at:" + std::string(one.ref) + "}" + meta(++seq);
            accp_error error = {};
            ASSERT_EQ(receive(session.get(), frame, kNow, &error), ACCP_OK)
                << one.ref << error.message;
            accp_delivery delivered = {};
            ASSERT_EQ(accp_session_next_delivery(session.get(), &delivered), 1);
            EXPECT_EQ(delivered.origin == ACCP_ORIGIN_UNTRUSTED, one.untrusted) << one.ref;
            EXPECT_EQ(accp_test::string_of(delivered.message).find("\"untrusted\":true") !=
                          std::string::npos,
                      one.untrusted)
                << one.ref;
            drain(session.get());
        }
        const std::string before = context(session.get());
        reopen();
        EXPECT_EQ(context(session.get()), before);
    }
    EXPECT_EQ(resolve(session.get(), "hot.state"), R"({"note":"evil"})");
}

// The state is trusted again when a whole state of a trusted peer replaces it.
TEST_F(SessionChecks, AWholeStateOfATrustedPeerIsTrusted) {
    ASSERT_EQ(receive_from(session.get(), "web", ACCP_ORIGIN_UNTRUSTED,
                           "@web>sync:state{version:1|state:{note:evil}}" + meta(1)),
              ACCP_OK);
    ASSERT_EQ(receive(session.get(), "@a>sync:state{version:2|delta:{k:1}}" + meta(2)), ACCP_OK);
    ASSERT_EQ(receive(session.get(), "@a>qry:x{at:$hot.state.k}" + meta(3)), ACCP_OK);
    ASSERT_EQ(receive(session.get(), "@a>sync:state{version:3|state:{k:2}}" + meta(4)), ACCP_OK);
    ASSERT_EQ(receive(session.get(), "@a>qry:x{at:$hot.state.k}" + meta(5)), ACCP_OK);
    std::vector<bool> untrusted;
    for (accp_delivery one; accp_session_next_delivery(session.get(), &one);)
        untrusted.push_back(one.origin == ACCP_ORIGIN_UNTRUSTED);
    EXPECT_EQ(untrusted, (std::vector<bool>{true, false, true, false, false}));
}

TEST_F(SessionChecks, AReplyNamesWhatItAnswers) {
    ASSERT_EQ(receive(session.get(), "@a>req:buy{what:tea}" + meta(1)), ACCP_OK);
    ASSERT_EQ(receive(session.get(), "@a>req:buy{what:milk}" + meta(2, ",cid:42")), ACCP_OK);
    const auto got = drain(session.get());
    ASSERT_EQ(got.size(), 2U);
    const std::string done = R"({"agent":"b","intent":"done","payload":{"ok":true}})";
    const std::string first = reply(got[0].json, done), second = reply(got[1].json, done);
    EXPECT_EQ(first.substr(0, 20), "@b>done:buy{ok:true}");
    EXPECT_NE(first.find(",cid:000000000001,aid:000000000001]"), std::string::npos) << first;
    EXPECT_NE(second.find(",cid:42,aid:000000000002]"), std::string::npos) << second;
    accp_outcome outcome = {};
    ASSERT_EQ(accp_session_outcome(session.get(), &outcome, nullptr), ACCP_OK);
    EXPECT_EQ(outcome.warnings, 0U);
    // the message has its own cid and operation
    const std::string own = reply(
        got[0].json,
        R"({"agent":"b","intent":"fail","operation":"sell","payload":{"code":1},"meta":{"cid":"x"}})");
    EXPECT_EQ(own.substr(0, 12), "@b>fail:sell");
    EXPECT_NE(own.find(",cid:x,aid:000000000001]"), std::string::npos) << own;
    for (const char *none :
         {"", "[]", "{}", R"({"agent":"a","intent":"req","operation":"x","payload":{}})"}) {
        EXPECT_EQ(reply(none, done), "E1001") << none;
        ASSERT_EQ(accp_session_outcome(session.get(), &outcome, nullptr), ACCP_OK);
        EXPECT_EQ(outcome.parts, 0U) << none;
    }
    reply(got[0].json, done);
    accp_text out = {};
    EXPECT_EQ(accp_session_send_state(session.get(), "b", 1, "[]", 2, kNow, &out, nullptr),
              ACCP_E1004);
    ASSERT_EQ(accp_session_outcome(session.get(), &outcome, nullptr), ACCP_OK);
    EXPECT_EQ(outcome.parts, 0U);
    EXPECT_EQ(send(session.get(), done), "E1001");
}

// With the rule, no frame is sent or received without an agreement.
TEST_F(SessionChecks, RequireRegistryWaitsForAnAgreement) {
    set_rule(ACCP_RULE_REQUIRE_REGISTRY, 1);
    accp_error error = {};
    EXPECT_EQ(receive(session.get(), "@a>qry:x{k:1}" + meta(1), kNow, &error), ACCP_E1003);
    EXPECT_NE(std::string(error.message).find("negotiate"), std::string::npos);
    EXPECT_EQ(send(session.get(), R"({"agent":"b","intent":"qry","operation":"x","payload":{}})"),
              "E1003");
    EXPECT_EQ(append(session.get(), R"({"agent":"b","intent":"qry","operation":"x","payload":{}})"),
              ACCP_OK);
    accp_agreement bare = {};
    EXPECT_EQ(accp_config_set_agreement(config.get(), &bare, nullptr), ACCP_ERR_ARG);
    bare.state = ACCP_NEGOTIATION_AGREED;  // without a registry
    EXPECT_EQ(accp_config_set_agreement(config.get(), &bare, nullptr), ACCP_ERR_ARG);
    bare.state = ACCP_NEGOTIATION_BARE;
    bare.features = ACCP_FEATURE_SENDERS;
    ASSERT_EQ(accp_config_set_agreement(config.get(), &bare, nullptr), ACCP_OK);
    renew();
    EXPECT_EQ(receive(session.get(), "@a>req:schedule{task:x}" + meta(1)), ACCP_OK);
    // each has its own count, and no profile adds a default
    const std::string sent =
        send(session.get(), R"({"agent":"b","intent":"qry","operation":"x","payload":{"k":1}})");
    EXPECT_NE(sent.find(",seq:1,"), std::string::npos) << sent;
    EXPECT_NE(drain(session.get())[0].json.find(R"("payload":{"task":"x"})"), std::string::npos);
}

}  // namespace
