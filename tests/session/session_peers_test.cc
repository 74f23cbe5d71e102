// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The permissions of senders in a session: peers that are bound to agents, agents of the host, and
// untrusted messages.
#include "session/sessions.h"

namespace {

using namespace accp_sessions;

std::string frame_of(const std::string &agent, int64_t seq,
                     const std::string &body = "req:plan{n:1}", const std::string &more = "") {
    std::string digits = std::to_string(seq);
    return "@" + agent + ">" + body + "[mid:b" + std::string(11 - digits.size(), '0') + digits +
           ",seq:" + digits + ",ts:1714000000" + more + "]";
}

std::string message_of(const std::string &agent, const std::string &payload = R"({"n":1})") {
    return R"({"agent":")" + agent + R"(","intent":"req","operation":"plan","payload":)" + payload +
           "}";
}

struct Peers : testing::TestWithParam<bool>, OneSession {
    Peers() { set_rule(ACCP_RULE_BY_SENDER, GetParam()); }
    void reopen() {
        session.reset();
        OneSession::reopen();
    }
};
INSTANTIATE_TEST_SUITE_P(ByOneCountAndBySender, Peers, testing::Bool());

// A frame under a forbidden name has no effect: its seq, mid and sender are unused, as a later
// accepted frame shows.
TEST_P(Peers, APeerSpeaksAsItsAgentsOnly) {
    struct Case {
        const char *agents, *agent;
        bool taken;
    } cases[] = {{"dev", "dev", true},   {"dev", "planner", false}, {"qa,dev", "dev", true},
                 {"qa,dev", "qa", true}, {"qa,dev", "q", false},    {"qa,dev", "de", false},
                 {"", "dev", false},     {"*", "dev", true},        {"dev,", "dev", true},
                 {",", "dev", false}};
    for (const Case &one : cases) {
        SCOPED_TRACE(std::string(one.agents) + " says as " + one.agent);
        Handle<accp_session> fresh =
            open_session(engine.get(), std::string(one.agents) + " " + one.agent);
        accp_error error = {};
        EXPECT_EQ(receive_from(fresh.get(), one.agents, ACCP_ORIGIN_TRUSTED, frame_of(one.agent, 1),
                               kNow, &error),
                  one.taken ? ACCP_OK : ACCP_E5001);
        EXPECT_EQ(accp_session_record_count(fresh.get()), one.taken ? 1u : 0u);
        if (one.taken) continue;
        EXPECT_EQ(error.offset, 1u) << "where the name stands";
        EXPECT_EQ(drain(fresh.get()).size(), 0u);
        EXPECT_EQ(receive_from(fresh.get(), one.agent, ACCP_ORIGIN_TRUSTED, frame_of(one.agent, 1)),
                  ACCP_OK)
            << "its seq and mid are free";
    }
}

TEST_P(Peers, AFrameAheadOfItsTurnIsRefusedTooAndNotHeld) {
    EXPECT_EQ(receive_from(session.get(), "dev", ACCP_ORIGIN_TRUSTED, frame_of("planner", 3)),
              ACCP_E5001);
    EXPECT_EQ(receive_from(session.get(), "dev", ACCP_ORIGIN_TRUSTED, frame_of("dev", 1)), ACCP_OK);
    EXPECT_EQ(receive_from(session.get(), "dev", ACCP_ORIGIN_TRUSTED, frame_of("dev", 2)), ACCP_OK);
    EXPECT_EQ(drain(session.get()).size(), 2u);
}

// A name that the session has sent under is refused from any peer, after any number of reopenings:
// from the log, and after a snapshot.
TEST_P(Peers, OurOwnNameIsNeverTakenFromOutside) {
    const std::string said = send(session.get(), message_of("planner"));
    EXPECT_EQ(receive(session.get(), said), ACCP_E3002) << "an echo of what we said is no forgery";
    const std::string forged = frame_of("planner", 2);
    for (int round = 0; round < 4; ++round) {
        SCOPED_TRACE(round);
        const uint64_t records = accp_session_record_count(session.get());
        EXPECT_EQ(receive(session.get(), forged), ACCP_E5001);
        EXPECT_EQ(receive_from(session.get(), "planner", ACCP_ORIGIN_TRUSTED, forged), ACCP_E5001);
        EXPECT_EQ(accp_session_record_count(session.get()), records);
        if (round == 1) {  // a checkpoint with a snapshot
            const std::string text = R"({"text":")" + std::string(9000, 'y') + "\"}";
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(append(session.get(), message_of("x", text)), ACCP_OK);
            EXPECT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
        }
        reopen();
    }
    EXPECT_NE(send(session.get(), message_of("planner")).find(",seq:2,"), std::string::npos)
        << "its count is its own";
}

TEST_P(Peers, AnAgentIsTheHostsBeforeItHasSaidAnything) {
    config.own_agent("planner").own_agent("harness");
    renew();
    EXPECT_EQ(receive(session.get(), frame_of("planner", 1)), ACCP_E5001);
    EXPECT_EQ(
        receive_from(session.get(), "planner,dev", ACCP_ORIGIN_TRUSTED, frame_of("harness", 1)),
        ACCP_E5001);
    EXPECT_EQ(receive(session.get(), frame_of("plan", 1)), ACCP_OK);
}

// A waiting frame stays a received one, even if its name now belongs to the host.
TEST_P(Peers, AFrameThatWaitsDoesNotBecomeOurs) {
    EXPECT_EQ(receive(session.get(), frame_of("planner", 2)), ACCP_HELD);
    drain(session.get());
    ASSERT_NE(send(session.get(), message_of("planner")).find(",seq:1,"), std::string::npos);
    ASSERT_NE(send(session.get(), message_of("other")).find("seq:"), std::string::npos);
    for (const Delivered &one : drain(session.get())) EXPECT_NE(one.status, ACCP_OK) << one.json;
}

const char *const kMark = ",\"untrusted\":true}";

bool is_marked(const std::string &json) {
    const std::string mark = kMark;
    return json.size() > mark.size() &&
           json.compare(json.size() - mark.size(), mark.size(), mark) == 0;
}

// Untrusted messages are marked when delivered, when resolved, and after reopening.
TEST_P(Peers, WhatAnUntrustedPeerSaysIsMarkedForEver) {
    ASSERT_EQ(receive_from(session.get(), "web", ACCP_ORIGIN_UNTRUSTED, frame_of("web", 1)),
              ACCP_OK);
    accp_delivery one = {};
    ASSERT_EQ(accp_session_next_delivery(session.get(), &one), 1);
    EXPECT_EQ(one.origin, ACCP_ORIGIN_UNTRUSTED);
    EXPECT_TRUE(is_marked(std::string(one.message.text, one.message.len)));
    std::string context_before = context(session.get());
    for (int round = 0; round < 2; ++round) {
        EXPECT_TRUE(is_marked(resolve(session.get(), "cold.m1")));
        EXPECT_EQ(context(session.get()), context_before);
        reopen();
    }
}

TEST_P(Peers, WhatWaitedKeepsItsOrigin) {
    ASSERT_EQ(receive_from(session.get(), "web", ACCP_ORIGIN_UNTRUSTED, frame_of("web", 2)),
              ACCP_HELD);
    ASSERT_EQ(receive_from(session.get(), "web", ACCP_ORIGIN_TRUSTED, frame_of("web", 1)), ACCP_OK);
    std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), 3u);
    EXPECT_FALSE(is_marked(got[1].json)) << got[1].json;
    EXPECT_TRUE(is_marked(got[2].json)) << got[2].json;
}

TEST_P(Peers, AnAgentsOriginHoldsHoweverItsMessagesCome) {
    config.untrusted("web").untrusted("tool");
    ASSERT_EQ(accp_config_set_agent_origin(config.get(), "tool", 4, ACCP_ORIGIN_TRUSTED, nullptr),
              ACCP_OK);
    renew();
    ASSERT_EQ(receive(session.get(), frame_of("web", 1)), ACCP_OK);
    ASSERT_EQ(append(session.get(), message_of("web")), ACCP_OK);
    ASSERT_EQ(append(session.get(), message_of("tool")), ACCP_OK);
    ASSERT_EQ(append(session.get(), message_of("web2")), ACCP_OK);
    const std::string sent = send(session.get(), drain(session.get()).at(0).json);
    EXPECT_EQ(sent.find("untrusted"), std::string::npos)
        << "a message is sent on as it was handed out; the mark is ours: " << sent;
    for (int round = 0; round < 2; ++round) {
        EXPECT_TRUE(is_marked(resolve(session.get(), "cold.m1")));
        EXPECT_TRUE(is_marked(resolve(session.get(), "cold.m2")));
        EXPECT_FALSE(is_marked(resolve(session.get(), "cold.m3")));
        EXPECT_FALSE(is_marked(resolve(session.get(), "cold.m4")));
        EXPECT_TRUE(is_marked(resolve(session.get(), "cold.m5"))) << "also as what we sent";
        reopen();
    }
}

// One untrusted part makes the whole message untrusted, whichever part it is.
TEST_P(Peers, AMessageOfWhichAPartIsUntrustedIsUntrusted) {
    set_rule(ACCP_RULE_PARTS, 1);
    for (int outside = 0; outside < 3; ++outside) {
        SCOPED_TRACE(outside);
        const std::string id = "parts" + std::to_string(outside);
        Handle<accp_session> of = open_session(engine.get(), id);
        for (int part = 0; part < 2; ++part) {
            const std::string frame =
                frame_of("web", part + 1, part ? "req:plan{b:2}" : "req:plan{a:1}",
                         ",cid:c1,fi:" + std::to_string(part) + ",ft:2");
            ASSERT_EQ(
                receive_from(of.get(), "web",
                             part == outside ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED, frame),
                ACCP_OK);
            of.reset();
            of = open_session(engine.get(), id);
        }
        EXPECT_EQ(is_marked(resolve(of.get(), "cold.m2")), outside < 2)
            << resolve(of.get(), "cold.m2");
    }
}

TEST(PeersFace, Misuse) {
    Handle<accp_engine> engine = open_engine();
    Handle<accp_session> session = open_session(engine.get());
    EXPECT_EQ(receive_from(session.get(), "a", 7, frame_of("a", 1)), ACCP_ERR_ARG);
    auto take = [](accp_session *of, accp_text agents, const char *frame, int64_t now) {
        const accp_peer peer = {agents, ACCP_ORIGIN_TRUSTED, 0};
        return accp_session_receive(of, frame, 1, now, &peer, nullptr);
    };
    EXPECT_EQ(take(session.get(), {nullptr, 3}, "x", kNow), ACCP_ERR_ARG);
    EXPECT_EQ(take(session.get(), {"a", 1}, nullptr, kNow), ACCP_ERR_ARG);
    EXPECT_EQ(take(session.get(), {"a", 1}, "x", -1), ACCP_ERR_ARG);
    EXPECT_EQ(take(nullptr, {"a", 1}, "x", kNow), ACCP_ERR_ARG);
    accp_test::Config config;
    auto set_origin = [&](accp_config *of, std::string_view agent, int32_t origin) {
        return accp_config_set_agent_origin(of, agent.data(), agent.size(), origin, nullptr);
    };
    EXPECT_EQ(set_origin(config.get(), "a", 7), ACCP_ERR_ARG);
    EXPECT_EQ(set_origin(nullptr, "a", 1), ACCP_ERR_ARG);
    EXPECT_EQ(accp_config_add_own_agent(nullptr, "a", 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_config_add_own_agent(config.get(), nullptr, 1, nullptr), ACCP_ERR_ARG);
    for (std::string_view no_name : {std::string_view(), std::string_view("a\0b", 3)}) {
        EXPECT_EQ(set_origin(config.get(), no_name, 1), ACCP_ERR_ARG);
        EXPECT_EQ(accp_config_add_own_agent(config.get(), no_name.data(), no_name.size(), nullptr),
                  ACCP_ERR_ARG);
    }
}

}  // namespace
