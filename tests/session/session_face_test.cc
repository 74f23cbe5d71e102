// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The guarantees of a session one by one. Each test is named after its requirement.
#include <algorithm>
#include <cstdlib>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

struct Fixture : testing::Test, OneSession {
    static std::string frame(int64_t seq, const std::string &body = "@a>req:plan{n:1}",
                             const std::string &more = "") {
        std::string digits = std::to_string(seq);
        return body + "[mid:b" + std::string(11 - digits.size(), '0') + digits + ",seq:" + digits +
               ",ts:1714000000" + more + "]";
    }
    static std::string message(const std::string &intent, const std::string &payload) {
        return R"({"agent":"a","intent":")" + intent + R"(","operation":"plan","payload":)" +
               payload + "}";
    }
};

using Session = Fixture;

// ACCP-3.5-01, -02, -03: a sent frame has a mid of twelve hex digits, the next seq, and the time.
TEST_F(Session, WhatIsSentHasItsEnvelope) {
    std::string first = send(session.get(), message("req", R"({"task":"x"})")),
                second = send(session.get(), message("req", R"({"task":"x"})"));
    EXPECT_NE(first.find(",seq:1,ts:1714000000]"), std::string::npos) << first;
    EXPECT_NE(second.find(",seq:2,"), std::string::npos) << second;
    std::string mid = first.substr(first.find("mid:") + 4, 12);
    EXPECT_EQ(mid.find_first_not_of("0123456789abcdef"), std::string::npos) << mid;
    EXPECT_EQ(second.find(mid), std::string::npos);
    EXPECT_EQ(receive(session.get(), first), ACCP_E3002) << "our own frame coming back is no news";
}

TEST_F(Session, TwoSidesUnderstandEachOther) {
    Handle<accp_store> other_store = open_store();
    Handle<accp_engine> other_engine = open_engine(other_store.get());
    Handle<accp_session> other = open_session(other_engine.get());
    std::string json =
        R"({"agent":"planner","intent":"req","operation":"schedule","payload":{"assignee":"dev","task":"write the parser","schema":"TA"},"meta":{"cid":"c1"}})";
    EXPECT_EQ(receive(other.get(), send(session.get(), json)), ACCP_OK);
    std::vector<Delivered> got = drain(other.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(R"("task":"write the parser")"), std::string::npos) << got[0].json;
    EXPECT_NE(got[0].json.find(R"("priority":"medium")"), std::string::npos) << got[0].json;
    EXPECT_EQ(context(other.get()), context(session.get())) << "both models are given the same";
}

TEST_F(Session, ReceiveRefusesWithPlaceAndChangesNothing) {
    accp_error error = {};
    EXPECT_EQ(receive(session.get(), "@a>req:plan{n:}", kNow, &error), ACCP_E1001);
    EXPECT_EQ(error.offset, 14u);
    EXPECT_EQ(receive(session.get(), "@a>req:plan{n:1}", kNow, &error), ACCP_E1001)
        << "no envelope";
    EXPECT_EQ(error.offset, 16u);
    EXPECT_EQ(receive(session.get(), frame(1, "@a>please:plan{n:1}"), kNow, &error), ACCP_E1002);
    EXPECT_EQ(error.offset, 3u);
    EXPECT_EQ(accp_session_record_count(session.get()), 0u);
    EXPECT_EQ(receive(session.get(), frame(1, "@a>req:plan{n:1|schema:ZZ}"), kNow, &error),
              ACCP_E1003);
    EXPECT_EQ(error.offset, 23u);
    EXPECT_EQ(receive(session.get(), frame(2)), ACCP_OK)
        << "what was refused for its schema has used up its seq";
    EXPECT_EQ(drain(session.get()).size(), 1u);
}

// ACCP-1.3-02: frames after the end are refused, also after reopening.
TEST_F(Session, TheEndIsTheEnd) {
    EXPECT_EQ(receive(session.get(), frame(1)), ACCP_OK);
    EXPECT_EQ(accp_session_end(session.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(receive(session.get(), frame(2)), ACCP_ERR_CLOSED);
    session = open_session(engine.get());
    EXPECT_EQ(receive(session.get(), frame(2)), ACCP_ERR_CLOSED);
    EXPECT_EQ(append(session.get(), message("req", "{}")), ACCP_ERR_CLOSED);
    EXPECT_NE(resolve(session.get(), "cold.m1").find("\"n\":1"), std::string::npos)
        << "what was said is still there";
}

// ACCP-3.7-04: reported once, with the frame that shows the gap. Waiting frames are applied when
// the gap closes.
TEST_F(Session, AGapIsSaidOnce) {
    EXPECT_EQ(receive(session.get(), frame(3)), ACCP_HELD);
    EXPECT_EQ(receive(session.get(), frame(2)), ACCP_HELD);
    std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].status, ACCP_E3003);
    EXPECT_EQ(got[0].seq, 3);
    EXPECT_EQ(receive(session.get(), frame(1)), ACCP_OK);
    got = drain(session.get());
    ASSERT_EQ(got.size(), 3u);
    EXPECT_EQ(got[2].seq, 3);
}

// If both sides share a count, a sent frame may close the gap of a received one, which is then
// applied without reopening.
TEST_F(Session, AFrameOfOursClosesAGap) {
    EXPECT_EQ(receive(session.get(), frame(2, "@b>req:plan{n:1}")), ACCP_HELD);
    drain(session.get());
    EXPECT_NE(send(session.get(), message("req", "{}")).find(",seq:1"), std::string::npos);
    EXPECT_EQ(accp_session_record_count(session.get()), 1u)
        << "behind a send the last record is its own";
    EXPECT_NE(send(session.get(), message("req", "{}")).find(",seq:3"), std::string::npos);
    std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].status, ACCP_OK);
    EXPECT_EQ(got[0].seq, 2);
    EXPECT_EQ(accp_session_record_count(session.get()), 3u);
    std::string retried =
        text_of([&](auto... out) { return accp_session_retry(session.get(), 3, kNow, out...); });
    EXPECT_NE(retried.find(",seq:4"), std::string::npos) << retried;
}

// ACCP-3.7-02: after many frames, and after reopening.
TEST_F(Session, AMidIsSeenForEver) {
    set_rule(ACCP_RULE_DURABLE, 0);
    for (int64_t seq = 1; seq <= 2000; ++seq)
        ASSERT_EQ(receive(session.get(), frame(seq)), ACCP_OK);
    EXPECT_EQ(receive(session.get(), frame(1)), ACCP_E3002);
    session = open_session(engine.get());
    EXPECT_EQ(receive(session.get(), frame(7)), ACCP_E3002);
    EXPECT_EQ(receive(session.get(), frame(2001)), ACCP_OK);
}

// No frame of a cancelled chain is sent, except an acknowledgement, and nothing is used up.
TEST_F(Session, CancelStopsWhatWeSend) {
    const std::string of_chain = R"(},"meta":{"cid":"c1"}})",
                      done = "{\"agent\":\"b\",\"intent\":\"";
    auto say = [&](const std::string &intent, const std::string &end) {
        return send(session.get(),
                    done + intent + R"(","operation":"plan","payload":{"n":1)" + end);
    };
    EXPECT_EQ(say("wait", of_chain)[0], '@');
    const uint64_t waited = accp_session_record_count(session.get());
    EXPECT_EQ(receive(session.get(), frame(2, "@a>cancel:chain{}", ",cid:c1")), ACCP_OK);
    const uint64_t records = accp_session_record_count(session.get());
    EXPECT_EQ(say("done", of_chain), "DROPPED");
    EXPECT_EQ(say("done", R"(},"meta":{"aid":"c1"}})"), "DROPPED") << "what it caused is of it too";
    accp_text out = {};
    EXPECT_EQ(accp_session_retry(session.get(), waited, kNow, &out, nullptr), ACCP_DROPPED);
    EXPECT_EQ(accp_session_record_count(session.get()), records);
    EXPECT_NE(say("ack", of_chain).find("seq:3,"), std::string::npos);
    EXPECT_NE(say("done", R"(},"meta":{"cid":"c2"}})").find("seq:4,"), std::string::npos);
}

// A cancel names its chain in the metadata or the payload.
TEST_F(Session, ACancelWithoutAChainIsRefused) {
    EXPECT_EQ(receive(session.get(), frame(1, "@a>cancel:chain{}", "")), ACCP_E1001);
    EXPECT_EQ(receive(session.get(), frame(2, "@a>cancel:chain{cid:c1}", "")), ACCP_OK);
    EXPECT_EQ(send(session.get(),
                   R"({"agent":"b","intent":"cancel","operation":"chain","payload":{"n":1}})"),
              "E1001");
    EXPECT_EQ(append(session.get(), message("cancel", R"({"n":1})")), ACCP_OK)
        << "of what a host tells, no chain need be known";
}

// ACCP-3.7-06: the chain stops, by cid and by cause. Other chains continue.
TEST_F(Session, CancelStopsTheChain) {
    EXPECT_EQ(receive(session.get(), frame(1, "@a>req:plan{n:1}", ",cid:c1")), ACCP_OK);
    EXPECT_FALSE(accp_session_is_cancelled(session.get(), "c1", 2));
    EXPECT_EQ(receive(session.get(), frame(2, "@a>cancel:chain{}", ",cid:c1")), ACCP_OK);
    EXPECT_TRUE(accp_session_is_cancelled(session.get(), "c1", 2));
    EXPECT_EQ(receive(session.get(), frame(3, "@a>done:plan{n:1}", ",cid:c1")), ACCP_DROPPED);
    EXPECT_EQ(receive(session.get(), frame(4, "@a>req:plan{n:1}", ",cid:c2,aid:b00000000001")),
              ACCP_DROPPED);
    EXPECT_EQ(receive(session.get(), frame(5, "@a>req:plan{n:1}", ",cid:c3,aid:b00000000004")),
              ACCP_DROPPED);
    EXPECT_EQ(receive(session.get(), frame(6, "@a>ack:chain{}", ",cid:c1")), ACCP_OK);
    EXPECT_EQ(receive(session.get(), frame(7, "@a>req:plan{n:1}", ",cid:c4")), ACCP_OK);
    session = open_session(engine.get());
    EXPECT_EQ(receive(session.get(), frame(8, "@a>done:plan{n:1}", ",cid:c1")), ACCP_DROPPED);
}

// One chain too many replaces the oldest of the same agent.
TEST_F(Session, OneChainMoreThanAreKept) {
    set_rule(ACCP_RULE_DURABLE, 0);
    auto cid = [](int64_t n) { return ",cid:" + std::string(200, 'c') + std::to_string(n); };
    int64_t seq = 0;
    for (int64_t n = 1; n <= 1025; ++n)
        ASSERT_EQ(receive(session.get(), frame(++seq, "@a>cancel:chain{}", cid(n))), ACCP_OK);
    EXPECT_EQ(append(session.get(), message("cancel", R"({"cid":"another"})")), ACCP_OK);
    EXPECT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK)
        << "names of all of them fit";
    session = open_session(engine.get());
    EXPECT_EQ(receive(session.get(), frame(++seq, "@a>done:plan{n:1}", cid(1025))), ACCP_DROPPED);
    EXPECT_EQ(receive(session.get(), frame(++seq, "@a>done:plan{n:1}", cid(1))), ACCP_OK);
    EXPECT_EQ(receive(session.get(), frame(++seq, "@a>done:plan{n:1}", ",cid:another")),
              ACCP_DROPPED);
}

// A session written under one tokenizer or one set of context rules cannot be opened under another.
// This is not damage.
TEST_F(Session, OtherRulesOfTokensAreRefused) {
    auto open = [](accp_engine *with) {
        accp_session *made = nullptr;
        accp_status status = accp_session_open(with, "s", 1, 0, &made, nullptr);
        accp_session_close(made);
        return status;
    };
    EXPECT_EQ(append(session.get(), message("done", R"({"result":"x"})")), ACCP_OK);
    session.reset();
    auto open_with = [&](const accp_test::Config &with) { return open(open_engine(with).get()); };
    EXPECT_EQ(open_with(EngineConfig(store.get()).rule(ACCP_RULE_RETAINED, 11)), ACCP_ERR_ARG);
    accp_tokenizer *tokenizer = nullptr;
    ASSERT_EQ(accp_tokenizer_new("cl100k_base", 11, nullptr, &tokenizer, nullptr), ACCP_OK);
    EXPECT_EQ(open_with(EngineConfig(store.get()).tokenizer(tokenizer)), ACCP_ERR_ARG);
    accp_tokenizer_free(tokenizer);
    EXPECT_EQ(open(engine.get()), ACCP_OK);
}

// ACCP-5.2-01 to -05.
TEST_F(Session, WhatMakesACheckpoint) {
    auto count = [&] { return accp_session_newest_checkpoint(session.get()); };
    EXPECT_EQ(append(session.get(), message("req", R"({"task":"write the parser of frames"})")),
              ACCP_OK);
    EXPECT_EQ(count(), 0u);
    EXPECT_EQ(append(session.get(), message("done", R"({"result":"parser.cc written"})")), ACCP_OK);
    EXPECT_EQ(count(), 1u);
    EXPECT_EQ(append(session.get(), message("esc", R"({"why":"no access to repo"})")), ACCP_OK);
    EXPECT_EQ(count(), 2u);
    EXPECT_EQ(append(session.get(), message("comp", R"({"note":"please compress"})")), ACCP_OK);
    EXPECT_EQ(count(), 3u);
    EXPECT_EQ(append(session.get(), message("req", R"({"task":"another one"})")), ACCP_OK);
    EXPECT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(count(), 4u);
    EXPECT_NE(resolve(session.get(), "warm.ckpt_1.summary").find("\""), std::string::npos);
    EXPECT_EQ(resolve(session.get(), "warm.ckpt_9"), "E2001");
}

// ACCP-5.3-05, 5.1-06: nothing is lost, byte for byte.
TEST_F(Session, ColdHasEverything) {
    std::vector<std::string> said;
    for (int i = 0; i < 40; ++i) {
        std::string text = message(i % 3 ? "req" : "done",
                                   R"({"content":"step )" + std::to_string(i) + " " +
                                       std::string(static_cast<size_t>(i * 17), 'x') + R"("})");
        ASSERT_EQ(append(session.get(), text), ACCP_OK);
        said.push_back(text);
    }
    session = open_session(engine.get());
    for (size_t i = 0; i < said.size(); ++i) {
        accp_log_record got = {};
        EXPECT_EQ(accp_session_record(session.get(), i + 1, &got, nullptr), ACCP_OK);
        EXPECT_EQ(accp_test::string_of(got.text), said[i]);
        EXPECT_EQ(got.kind, ACCP_RECORD_MESSAGE);
        EXPECT_EQ(resolve(session.get(), "cold.m" + std::to_string(i + 1)), said[i]);
    }
}

// ACCP-5.4-01, -02: only changes are sent, and the other side has the same state.
TEST_F(Session, SharedStateGoesAsDeltas) {
    Handle<accp_store> other_store = open_store();
    Handle<accp_engine> other_engine = open_engine(other_store.get());
    Handle<accp_session> other = open_session(other_engine.get());
    auto tell = [&](const std::string &json) {
        std::string frame = send_state(session.get(), json);
        EXPECT_EQ(receive(other.get(), frame), ACCP_OK) << frame;
        EXPECT_EQ(state_of(other.get()), state_of(session.get()));
        return frame.substr(0, frame.find('['));
    };
    EXPECT_EQ(tell(R"({"task_3":"done","budget":12.5})"),
              "@a>sync:state{v:1|state:{budget:12.5,task_3:done}}");
    EXPECT_EQ(tell(R"({"task_3":"done","budget":11})"), "@a>sync:state{v:2|delta:{budget:11}}");
    EXPECT_EQ(tell(R"({"budget":11})"), "@a>sync:state{v:3|delta:{task_3:~}}");
    EXPECT_EQ(send_state(session.get(), R"({"budget":11.0})"), "") << "nothing changed";
    EXPECT_EQ(resolve(other.get(), "hot.state.budget"), "11");
    other = open_session(other_engine.get());
    EXPECT_EQ(state_of(other.get()), R"({"budget":11})");
}

TEST_F(Session, OneWriter) {
    Handle<accp_session> newer = open_session(engine.get());
    EXPECT_EQ(receive(session.get(), frame(1)), ACCP_ERR_CLOSED);
    EXPECT_EQ(receive(newer.get(), frame(1)), ACCP_OK);
}

TEST_F(Session, FramesOverTheLimitAreRefused) {
    std::string words;
    for (int i = 0; i < 300; ++i) words += " word" + std::to_string(i);
    EXPECT_EQ(send(session.get(), message("req", "{\"content\":\"" + words + "\"}")), "E2003");
    EXPECT_EQ(accp_session_record_count(session.get()), 0u);
    set_rule(ACCP_RULE_MAX_TOKENS, 0);
    EXPECT_NE(
        send(session.get(), message("req", "{\"content\":\"" + words + "\"}")).find("word299"),
        std::string::npos);
}

// An exceeded limit reports the count, the limit, and what to do.
TEST_F(Session, LimitsNameHadLimitAndRemedy) {
    std::string words;
    for (int i = 0; i < 300; ++i) words += " word" + std::to_string(i);
    const std::string long_message = message("req", "{\"content\":\"" + words + "\"}");
    accp_text out = {};
    accp_error over = {};
    ASSERT_EQ(accp_session_send(session.get(), long_message.data(), long_message.size(), kNow, &out,
                                &over),
              ACCP_E2003);
    EXPECT_EQ(over.limit, 240u);
    EXPECT_GT(over.had, 240u);
    for (const char *remedy : {"rule parts", "max_tokens"})
        EXPECT_NE(std::string(over.message).find(remedy), std::string::npos) << remedy;
    set_rule(ACCP_RULE_MAX_TOKENS, static_cast<int64_t>(over.had));
    EXPECT_NE(send(session.get(), long_message), "E2003") << "as many as it had are enough";

    ASSERT_EQ(append(session.get(), message("req", R"({"task":"review the parser"})")), ACCP_OK);
    accp_error hot = {};
    ASSERT_EQ(accp_session_context(session.get(), 1, &out, nullptr, &hot), ACCP_E2003);
    EXPECT_EQ(hot.limit, 1u);
    EXPECT_EQ(accp_session_context(session.get(), hot.had, &out, nullptr, nullptr), ACCP_OK);
    EXPECT_NE(std::string(hot.message).find("pinned_max"), std::string::npos);

    accp_error other = {};
    ASSERT_EQ(accp_session_send(session.get(), "{", 1, kNow, &out, &other), ACCP_E1001);
    EXPECT_TRUE(other.had == 0 && other.limit == 0) << "of no limit";
}

TEST_F(Session, ContextOnlyGrowsBetweenCheckpoints) {
    set_rule(ACCP_RULE_SPECIFICATION, 1);
    std::string before;
    uint32_t checkpoints = 0;
    for (int i = 0; i < 60; ++i) {
        ASSERT_EQ(
            append(session.get(), message("req", R"({"task":"review file_)" + std::to_string(i) +
                                                     R"(.cc of the parser"})")),
            ACCP_OK);
        std::string now = context(session.get());
        const bool same = accp_session_newest_checkpoint(session.get()) == checkpoints;
        EXPECT_EQ(now.substr(0, same ? before.size() : 0), same ? before : "");
        checkpoints = accp_session_newest_checkpoint(session.get());
        before = now;
        EXPECT_EQ(context(session.get()), now) << "equal state, equal bytes";
    }
    EXPECT_GT(checkpoints, 0u) << "hot is bounded (ACCP-5.2-02)";
}

TEST(SessionFace, Misuse) {
    EngineConfig config;
    auto refuses = [&](int32_t rule, int64_t value) {
        return accp_config_set_rule(config.get(), rule, value, nullptr) == ACCP_ERR_ARG;
    };
    EXPECT_TRUE(refuses(ACCP_RULE_EXTENSIONS, 1 << 20));
    EXPECT_TRUE(refuses(99, 1));
    EXPECT_TRUE(refuses(ACCP_RULE_ISSUER, 100));
    Handle<accp_engine> good = open_engine(config);
    accp_session *session = nullptr;
    EXPECT_NE(accp_session_open(good.get(), "", 0, 0, &session, nullptr), ACCP_OK);
    Handle<accp_engine> odd =
        open_engine(config.rule(ACCP_RULE_HOT_MAX, 500).rule(ACCP_RULE_HOT_DUE, 600));
    EXPECT_EQ(accp_session_open(odd.get(), "s", 1, 0, &session, nullptr), ACCP_ERR_ARG)
        << "above what hot may have";
    EXPECT_EQ(accp_session_open(good.get(), "s", 1, 0, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_session_next_delivery(nullptr, nullptr), 0);
    EXPECT_EQ(accp_session_receive(nullptr, "x", 1, 0, nullptr, nullptr), ACCP_ERR_ARG);
    accp_session_close(nullptr);
    accp_engine_free(nullptr);
}

// The cost of the first session of an engine. The engine's working memory must be small for hosts
// with many engines.
TEST(SessionCost, TheFirstSessionOfAnEngine) {
    size_t held = 0;
    const accp_allocator counting = {[](size_t size, void *user) {
                                         *static_cast<size_t *>(user) += size;
                                         return std::malloc(size);
                                     },
                                     [](void *memory, size_t size, void *user) {
                                         *static_cast<size_t *>(user) -= size;
                                         std::free(memory);
                                     },
                                     &held};
    Handle<accp_engine> engine = open_engine(accp_test::Config().allocator(counting));
    {
        Handle<accp_session> session = open_session(engine.get());
        EXPECT_LT(held, 64u << 10) << "opened";
        EXPECT_NE(send(session.get(),
                       R"({"agent":"a","intent":"req","operation":"plan","payload":{"task":"x"}})"),
                  "");
        EXPECT_NE(context(session.get()), "");
        EXPECT_LT(held, 144u << 10) << "used";  // 16 KiB are cached pairs of the counter
    }
    engine.reset();
    EXPECT_EQ(held, 0u);
}

}  // namespace
