// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages in parts without the rule: between sessions of one engine in mode local, and between
// sides that negotiated. No other peer receives a part.
#include <algorithm>
#include <random>
#include <sstream>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

// A message with this many words, different for each number.
std::string message_of(const std::string &agent, int number, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += " word" + std::to_string(number * 1000 + i);
    return R"({"agent":")" + agent +
           R"(","intent":"req","operation":"plan","payload":{"content":")" + text + "\"}}";
}
std::string content_of(const std::string &json) {
    const size_t at = json.find("\"content\":\"");
    return json.substr(at, json.find('"', at + 11) - at);
}

std::vector<std::string> frames_of(const std::string &text) {
    std::vector<std::string> frames;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) frames.push_back(line);
    return frames;
}

struct SessionLocal : testing::Test {
    Handle<accp_store> store = open_store();
    EngineConfig config{store.get()};
    Handle<accp_engine> engine = open_engine(config);
    Handle<accp_session> a, b;

    void open(uint32_t flags) {
        a = open_session(engine.get(), "a", flags);
        b = open_session(engine.get(), "b", flags);
    }
    static std::string refusal(accp_engine *engine) {
        accp_session *made = nullptr;
        accp_error error = {};
        EXPECT_EQ(accp_session_open(engine, "c", 1, ACCP_SESSION_LOCAL, &made, &error),
                  ACCP_ERR_ARG);
        EXPECT_EQ(made, nullptr);
        return error.message ? error.message : "";
    }
};

// The failure has the count, the limit, and what to do, and nothing has changed.
TEST_F(SessionLocal, OthersAreToldWhatToDo) {
    open(0);
    const std::string json = message_of("a", 1, 200);
    accp_text out = {};
    accp_error error = {};
    EXPECT_EQ(accp_session_send(a.get(), json.data(), json.size(), kNow, &out, &error), ACCP_E2003);
    EXPECT_GT(error.had, 240u);
    EXPECT_EQ(error.limit, 240u);
    for (const char *remedy : {"rule parts", "mode local", "shares_store", "max_tokens"})
        EXPECT_NE(std::string(error.message).find(remedy), std::string::npos) << remedy;
    EXPECT_EQ(accp_session_record_count(a.get()), 0u);
    // `fi` and `ft` of a peer without an agreement are ordinary metadata
    EXPECT_EQ(receive(b.get(), "@c>req:plan{k:1}[mid:b00000000001,seq:1,cid:x,fi:0,ft:2]"),
              ACCP_OK);
    EXPECT_EQ(drain(b.get()).size(), 1u);
}

TEST_F(SessionLocal, BothWays) {
    open(ACCP_SESSION_LOCAL);
    int number = 0;
    for (auto [from, to, agent] : {std::tuple{a.get(), b.get(), "a"}, {b.get(), a.get(), "b"}}) {
        const std::string json = message_of(agent, ++number, 200);
        const std::vector<std::string> frames = frames_of(send(from, json));
        EXPECT_GT(frames.size(), 1u);
        for (const std::string &frame : frames) EXPECT_EQ(receive(to, frame), ACCP_OK);
        const std::vector<Delivered> got = drain(to);
        ASSERT_EQ(got.size(), 1u);
        EXPECT_EQ(content_of(got[0].json), content_of(json));
    }
    EXPECT_EQ(context(a.get()), context(b.get()));
    open(0);
    EXPECT_EQ(send(a.get(), message_of("a", 3, 200)), "E2003") << "nothing of it is kept";
}

TEST_F(SessionLocal, OnlyWherePartsMayBe) {
    accp_session *made = nullptr;
    EXPECT_EQ(accp_session_open(engine.get(), "c", 1, 4, &made, nullptr), ACCP_ERR_ARG);
    open(0);  // so that there is one to read
    EXPECT_NE(open_session(engine.get(), "a", ACCP_SESSION_LOCAL | ACCP_SESSION_READ_ONLY).get(),
              nullptr);
    const Handle<accp_engine> no = open_engine(config.rule(ACCP_RULE_PARTS, 0));
    EXPECT_NE(refusal(no.get()).find("rule parts"), std::string::npos);
    const Handle<accp_engine> bare = open_engine(EngineConfig().extensions(ACCP_EXT_NONE));
    EXPECT_NE(refusal(bare.get()).find("q1"), std::string::npos);
}

// Frames are lost, repeated and shuffled, and sent again until they are accepted. Every message
// arrives once, in order, in both directions.
TEST_F(SessionLocal, OverALossyChannel) {
    engine = open_engine(config.rule(ACCP_RULE_BY_SENDER, 1));
    open(ACCP_SESSION_LOCAL);
    std::mt19937 random(7);
    struct Way {
        accp_session *from, *to;
        std::string agent;
        std::vector<std::string> wanted, got, flying;
    };
    Way ways[2] = {{a.get(), b.get(), "a", {}, {}, {}}, {b.get(), a.get(), "b", {}, {}, {}}};
    size_t parts = 0;
    for (int number = 1; number <= 40; ++number) {
        Way &way = ways[random() % 2];
        const std::string json =
            message_of(way.agent, number, 1 + static_cast<int>(random() % 300));
        const std::vector<std::string> frames = frames_of(send(way.from, json));
        parts += frames.size() > 1;
        way.wanted.push_back(content_of(json));
        way.flying.insert(way.flying.end(), frames.begin(), frames.end());
    }
    EXPECT_GT(parts, 10u);
    for (Way &way : ways) {
        for (int round = 0; !way.flying.empty() && round < 200; ++round) {
            std::shuffle(way.flying.begin(), way.flying.end(), random);
            std::vector<std::string> again;
            for (const std::string &frame : way.flying) {
                const bool lost = random() % 4 == 0;
                const accp_status status = lost ? ACCP_HELD : receive(way.to, frame);
                ASSERT_TRUE(status == ACCP_OK || status == ACCP_HELD || status == ACCP_E3002 ||
                            status == ACCP_E3003)
                    << status << frame;
                if (status == ACCP_E3003 || status == ACCP_HELD || random() % 5 == 0)
                    again.push_back(frame);
                for (const Delivered &one : drain(way.to))
                    if (one.status == ACCP_OK) way.got.push_back(content_of(one.json));
            }
            way.flying = again;
        }
        EXPECT_EQ(way.got, way.wanted);
    }
}

// The agreement of two configs.
std::pair<accp_agreement, accp_agreement> agree(accp_test::Config &left, accp_test::Config &right,
                                                std::vector<accp_negotiation *> &open) {
    for (auto *config : {&left, &right}) {
        accp_negotiation *made = nullptr;
        EXPECT_EQ(accp_negotiation_new("a", 1, config->get(), &made, nullptr), ACCP_OK);
        open.push_back(made);
    }
    accp_frame *frame = nullptr;
    EXPECT_EQ(accp_frame_new(nullptr, &frame, nullptr), ACCP_OK);
    for (size_t i = 0; i < 8; ++i) {
        accp_text out = {};
        EXPECT_EQ(accp_negotiation_next_frame(open[i % 2], &out, nullptr), ACCP_OK);
        if (!out.len) continue;
        EXPECT_EQ(accp_frame_parse(frame, out.text, out.len, nullptr), ACCP_OK);
        EXPECT_EQ(accp_negotiation_receive(open[1 - i % 2], frame, nullptr), ACCP_OK);
    }
    accp_frame_free(frame);
    std::pair<accp_agreement, accp_agreement> both = {};
    EXPECT_EQ(accp_negotiation_agreement(open[0], &both.first, nullptr), ACCP_OK);
    EXPECT_EQ(accp_negotiation_agreement(open[1], &both.second, nullptr), ACCP_OK);
    return both;
}

// Sides that negotiate accept messages in parts, unless one of them has forbidden it.
TEST(SessionNegotiated, PartsUnlessTheRuleSaysNo) {
    accp_registry *made = nullptr;
    ASSERT_EQ(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, nullptr, &made, nullptr), ACCP_OK);
    const Handle<accp_registry> registry(made);
    for (const int said : {-1, 0, 1}) {
        SCOPED_TRACE(said);
        std::vector<accp_negotiation *> open;
        EngineConfig left, right;
        left.registry(made);
        right.registry(made);
        if (said >= 0) right.rule(ACCP_RULE_PARTS, said);
        const auto [of_left, of_right] = agree(left, right, open);
        EXPECT_EQ(of_left.features & ACCP_FEATURE_PARTS, said ? uint32_t{ACCP_FEATURE_PARTS} : 0u);
        EXPECT_EQ(of_left.features & ACCP_FEATURE_STORE, 0u) << "a shared store has to be said";
        ASSERT_EQ(accp_config_set_agreement(left.get(), &of_left, nullptr), ACCP_OK);
        ASSERT_EQ(accp_config_set_agreement(right.get(), &of_right, nullptr), ACCP_OK);
        for (accp_negotiation *one : open) accp_negotiation_free(one);
        const Handle<accp_engine> here = open_engine(left), there = open_engine(right);
        const Handle<accp_session> a = open_session(here.get()), b = open_session(there.get());
        const std::string json = message_of("a", 1, 200), sent = send(a.get(), json);
        if (!said) {
            EXPECT_EQ(sent, "E2003");
            accp_session *none = nullptr;
            EXPECT_EQ(accp_session_open(here.get(), "c", 1, ACCP_SESSION_LOCAL, &none, nullptr),
                      ACCP_ERR_ARG);
            continue;
        }
        for (const std::string &frame : frames_of(sent))
            EXPECT_EQ(receive(b.get(), frame), ACCP_OK);
        const std::vector<Delivered> got = drain(b.get());
        ASSERT_EQ(got.size(), 1u);
        EXPECT_EQ(content_of(got[0].json), content_of(json));
    }
}

}  // namespace
