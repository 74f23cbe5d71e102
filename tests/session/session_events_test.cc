// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hook `event`, and the trace ids, which both sides compute alike.
#include <map>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

struct SessionEvents : testing::Test, OneSession {
    static constexpr const char *kKinds[] = {
        "received",   "sent",    "held",     "dropped",  "refused", "opened", "closed",
        "checkpoint", "expired", "registry", "appended", "context", "evicted"};

    SessionEvents() {
        accp_hooks hooks = accp_test::hooks_for(this);
        hooks.event = &SessionEvents::take;
        config.hooks(hooks).rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_DEADLINE_MS, 1000);
        renew();
    }
    ~SessionEvents() override { session.reset(), engine.reset(); }

    static void take(const accp_event *event, void *user) {
        auto &test = *static_cast<SessionEvents *>(user);
        EXPECT_EQ(accp_test::string_of(event->session), "s");
        if (event->kind < ACCP_EVENT_APPENDED) {
            EXPECT_EQ(event->bytes != 0, event->tokens != 0);
        }
        EXPECT_EQ(accp_session_sync(test.session.get(), nullptr),
                  test.session ? ACCP_ERR_BUSY : ACCP_ERR_ARG);
        accp_delivery taken = {};
        EXPECT_EQ(accp_session_next_delivery(test.session.get(), &taken), 0);
        std::string line = kKinds[event->kind];
        if (event->status) line += std::string(" ") + accp_status_code_name(event->status);
        if (event->direction == ACCP_SENT && event->kind == ACCP_EVENT_REFUSED) line += " ours";
        if (event->seq) line += " " + std::to_string(event->seq);
        for (auto &[name, text] : {std::pair<const char *, accp_text>{" @", event->agent},
                                   {" mid:", event->mid},
                                   {" cid:", event->cid},
                                   {" aid:", event->aid}})
            if (text.len) line += name + accp_test::string_of(text);
        if (event->count) line += " of " + std::to_string(event->count);
        test.lines += line + "\n";
        test.bytes += event->bytes;
        test.newest[event->kind] = *event;
    }
    std::string told() { return std::exchange(lines, {}); }
    std::string frame(int seq, const std::string &header = "req:plan",
                      const std::string &payload = "n:1", const std::string &more = "") {
        return "@b>" + header + "{" + payload + "}[mid:b0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + more + "]";
    }

    accp_status append(const std::string &message) {
        return accp_session_append(session.get(), message.data(), message.size(), kNow, nullptr);
    }

    std::string lines;
    uint64_t bytes = 0;
    std::map<int32_t, accp_event> newest;
};

TEST_F(SessionEvents, OfFrames) {
    receive(session.get(), frame(1, "req:plan", "n:1", ",cid:c1,aid:a00000000009"));
    EXPECT_EQ(told(), "received 1 @b mid:b00000000001 cid:c1 aid:a00000000009\n");
    EXPECT_EQ(bytes, frame(1, "req:plan", "n:1", ",cid:c1,aid:a00000000009").size());
    receive(session.get(), frame(1));
    EXPECT_EQ(told(), "refused E3002 1 @b mid:b00000000001\n");
    receive(session.get(), "no frame");
    EXPECT_EQ(told(), "refused E1001\n");
    receive(session.get(), frame(2, "req:plan", "n:1", ",ts:1,ttl:1"));
    EXPECT_EQ(told(), "dropped DROPPED 2 @b mid:b00000000002\n");
    const std::string out =
        send(session.get(),
             R"({"agent":"a","intent":"req","operation":"plan","payload":{},"meta":{"cid":"c2"}})");
    EXPECT_EQ(told(), "sent 1 @a mid:" + out.substr(out.find("mid:") + 4, 12) + " cid:c2\n");
    send(session.get(), "{}");
    EXPECT_EQ(told(), "refused E1001 ours\n");
    accp_session_expire(session.get(), kNow + 1001, nullptr);
    EXPECT_EQ(told(), "expired E3001 " +
                          std::to_string(accp_session_record_count(session.get()) - 1) +
                          " cid:c2\n");
    EXPECT_EQ(drain(session.get()).size(), 2u) << "a hook cannot take them";
}

TEST_F(SessionEvents, OfGapsAndCheckpoints) {
    receive(session.get(), frame(2, "req:plan", "n:1", ",cid:c1,aid:b00000000001"));
    EXPECT_EQ(told(),
              "held HELD 2 @b mid:b00000000002 cid:c1 aid:b00000000001\n"
              "opened E3003 2\n");
    receive(session.get(), frame(3, "done:plan", "schema:ZZ"));
    EXPECT_EQ(told(), "held HELD 3 @b mid:b00000000003\n");
    receive(session.get(), frame(1));
    EXPECT_EQ(told(),
              "received 1 @b mid:b00000000001\n"
              "received 2 @b mid:b00000000002 cid:c1 aid:b00000000001\n"
              "refused E1003 3 mid:b00000000003\n"
              "closed\n");
    accp_session_checkpoint(session.get(), kNow, nullptr);
    EXPECT_EQ(told(), "checkpoint 1 of 2\n");
}

TEST_F(SessionEvents, OfWhatIsAppended) {
    const std::string one = R"({"agent":"a","intent":"req","operation":"plan","payload":{"n":1}})";
    ASSERT_EQ(append(one), ACCP_OK);
    EXPECT_EQ(told(), "appended of 1\n");
    EXPECT_EQ(bytes, one.size());
    EXPECT_GT(newest[ACCP_EVENT_APPENDED].tokens, 0u);
    EXPECT_NE(append("[]"), ACCP_OK);
    EXPECT_EQ(told(), "refused E1001 ours\n");
    const std::string talk =
        R"([{"role":"user","content":"Add a login."},{"role":"assistant","content":"Done."}])";
    uint64_t count = 0;
    ASSERT_EQ(accp_session_append_messages(session.get(), talk.data(), talk.size(),
                                           ACCP_INTERFACE_OPENAI, kNow, &count, nullptr),
              ACCP_OK);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(told(), "appended of 2\ncheckpoint 1 of 3\n") << "the assistant says done";
    EXPECT_NE(accp_session_append_messages(session.get(), "{", 1, ACCP_INTERFACE_OPENAI, kNow,
                                           &count, nullptr),
              ACCP_OK);
    EXPECT_EQ(told(), "refused E1001 ours\n");
}

TEST_F(SessionEvents, OfContextsAndWhatTheyLeaveOut) {
    for (int i = 0; i < 8; ++i)
        ASSERT_EQ(
            append(R"({"agent":"a","intent":"ack","operation":"plan","payload":{"text":"step )" +
                   std::to_string(i) + R"( is done and the next one can begin"}})"),
            ACCP_OK);
    told();
    accp_text text = {};
    uint64_t tokens = 0;
    ASSERT_EQ(accp_session_context(session.get(), 0, &text, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(told(), "context of 8\n");
    const accp_event first = newest[ACCP_EVENT_CONTEXT];
    EXPECT_EQ(first.bytes, text.len);
    EXPECT_EQ(first.tokens, tokens);
    EXPECT_GE(first.history, tokens);
    EXPECT_EQ(first.cached, 0u) << "nothing is in a cache yet";
    EXPECT_EQ(first.written, tokens);
    ASSERT_EQ(append(R"({"agent":"a","intent":"ack","operation":"plan","payload":{"n":9}})"),
              ACCP_OK);
    ASSERT_EQ(accp_session_context_messages(session.get(), ACCP_INTERFACE_ANTHROPIC, 0, &text,
                                            nullptr, nullptr),
              ACCP_OK);
    EXPECT_EQ(told(), "appended of 1\ncontext of 9\n");
    const accp_event second = newest[ACCP_EVENT_CONTEXT];
    EXPECT_EQ(second.cached, tokens);
    EXPECT_EQ(second.cached + second.written, second.tokens);
    uint64_t whole = 0;
    ASSERT_EQ(accp_session_context(session.get(), 0, &text, &whole, nullptr), ACCP_OK);
    told();
    ASSERT_EQ(accp_session_context(session.get(), tokens / 2, &text, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(newest[ACCP_EVENT_EVICTED].tokens, whole - tokens);
    EXPECT_NE(newest[ACCP_EVENT_EVICTED].count, 0u);
    EXPECT_EQ(told(), "context of 9\nevicted of " +
                          std::to_string(newest[ACCP_EVENT_EVICTED].count) + "\n");
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    ASSERT_EQ(accp_session_context_blocks(session.get(), 0, &blocks, &count, nullptr), ACCP_OK);
    EXPECT_EQ(told(), "context of 9\n");
}

TEST_F(SessionEvents, OfPartsAndOfAnotherRegistry) {
    set_rule(ACCP_RULE_PARTS, 1);
    send(session.get(), R"({"agent":"a","intent":"ack","operation":"plan","payload":{"text":")" +
                            std::string(3000, 'x') + "\"}}");
    const std::string parts = told();
    EXPECT_GT(std::count(parts.begin(), parts.end(), '\n'), 1);
    EXPECT_EQ(parts.find("sent 1 @a"), 0u) << parts;
    const std::string added = R"({"schemas":{"T":{"code":"TK","version":1,"fields":["id"]}}})";
    ASSERT_EQ(accp_engine_register_schema(engine.get(), added.data(), added.size(), nullptr),
              ACCP_OK);
    receive(session.get(), frame(1));
    EXPECT_EQ(told(), "received 1 @b mid:b00000000001\nregistry\n");
    receive(session.get(), frame(2));
    EXPECT_EQ(told(), "received 2 @b mid:b00000000002\n");
}

TEST(SessionTraces, AreTheSameOnBothSides) {
    char out[56] = {}, answer[56] = {}, parent[56] = {};
    // the first digits of the SHA-256 of "c1" and of "a00000000001"
    ASSERT_EQ(accp_traceparent_format("c1", 2, "a00000000001", 12, out, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out), "00-d0f631ca1ddba8db3bcfcb9e057cdc98-dd8c050357abbf3f-01");
    ASSERT_EQ(accp_traceparent_format("c1", 2, "b00000000001", 12, answer, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out, 36), std::string(answer, 36)) << "one trace";
    EXPECT_NE(std::string(out), answer) << "two spans";
    ASSERT_EQ(accp_traceparent_format("c1", 2, "a00000000001", 12, parent, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out), parent) << "of an answer, by its aid";
    ASSERT_EQ(accp_traceparent_format("", 0, "c1", 2, parent, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out, 36), std::string(parent, 36)) << "a request names its chain";
    EXPECT_EQ(accp_traceparent_format("", 0, "", 0, out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_traceparent_format("c", 1, nullptr, 1, out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_traceparent_format("c", 1, "m", 1, nullptr, nullptr), ACCP_ERR_ARG);
}

}  // namespace
