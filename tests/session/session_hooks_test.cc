// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Extensions of an engine by the host: summaries, logs, and schemas that are added while sessions
// are open (ACCP-5.3, 7.1, 9-01).
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

struct Host {
    std::string summary;
    uint32_t max_tokens = 0;
    accp_session *asks = nullptr;  // calls this session from within the hook
    accp_status answered = ACCP_OK;
    std::vector<std::string> lines;

    static int summarise(const char *hot, size_t hot_len, uint32_t max_tokens, accp_text *out,
                         void *user) {
        auto &host = *static_cast<Host *>(user);
        EXPECT_NE(std::string(hot, hot_len).find("parser"), std::string::npos);
        host.max_tokens = max_tokens;
        if (host.asks) host.answered = accp_session_checkpoint(host.asks, kNow, nullptr);
        *out = {host.summary.data(), host.summary.size()};
        return !host.summary.empty();
    }
    static void tell(int32_t direction, accp_status status, const char *text, size_t text_len,
                     void *user) {
        auto &host = *static_cast<Host *>(user);
        host.lines.push_back((direction == ACCP_SENT ? "> " : "< ") +
                             std::string(status ? accp_status_code_name(status) : "") + " " +
                             std::string(text, text_len));
    }
};

struct SessionHooks : testing::Test, OneSession {
    Host host;
    accp_hooks hooks = accp_test::hooks_for(&host);

    ~SessionHooks() override { session.reset(), engine.reset(); }  // before the hooks that they use

    std::string summary_of(const std::string &id, const std::string &text) {
        host.summary = text;
        session = open_session(engine.get(), id);
        EXPECT_EQ(
            append(
                session.get(),
                R"({"agent":"a","intent":"done","operation":"x","payload":{"result":"parser.cc written"}})"),
            ACCP_OK);
        return resolve(session.get(), "warm.ckpt_1.summary");
    }
};

TEST_F(SessionHooks, ASummaryOfTheHosts) {
    config.rule(ACCP_RULE_SPECIFICATION, 1);  // with the price rules, short content stays whole
    renew();
    std::string own = summary_of("without", "");
    hooks.summarise = &Host::summarise;
    config.hooks(hooks);
    renew();
    EXPECT_EQ(summary_of("none", ""), own);
    EXPECT_EQ(summary_of("good", "the parser is written"),
              R"("(summary)\n the parser is written\n")");
    EXPECT_EQ(host.max_tokens, 100u);
    std::string words;
    for (int i = 0; i < 200; ++i) words += " word";
    EXPECT_EQ(summary_of("long", words), own);
    EXPECT_EQ(summary_of("no text", "\xFF"), own);
    EXPECT_EQ(summary_of("a message", "@a>done:x{}"), own);
    host.asks = session.get();
    host.summary = "again";
    EXPECT_EQ(
        append(
            session.get(),
            R"({"agent":"a","intent":"done","operation":"x","payload":{"result":"parser.cc checked"}})"),
        ACCP_OK);
    EXPECT_EQ(host.answered, ACCP_ERR_BUSY);
}

TEST_F(SessionHooks, TheLogIsToldOfWhatComesAndGoes) {
    hooks.log = &Host::tell;
    config.hooks(hooks).redacted("account");
    EXPECT_EQ(accp_config_add_redacted(config.get(), "a\0b", 3, nullptr), ACCP_ERR_ARG);
    renew();
    auto frame = [](int seq, const std::string &body) {
        std::string n = std::to_string(seq);
        return body + "[mid:b0000000000" + n + ",seq:" + n + ",ts:1714000000]";
    };
    receive(session.get(), frame(2, "@a>req:plan{n:2}"));
    receive(session.get(), frame(1, "@a>req:plan{account:secret}"));
    receive(session.get(), frame(1, "@a>req:plan{}"));
    receive(session.get(), "@a>req:plan{");
    send(session.get(),
         R"({"agent":"b","intent":"done","operation":"x","payload":{"account":"secret"}})");
    send(session.get(), R"({"agent":"b","intent":"please","operation":"x","payload":{}})");
    send_state(session.get(), R"({"k":1})");
    ASSERT_EQ(host.lines.size(), 8u);
    EXPECT_EQ(host.lines[0].substr(0, 7), "< E3003") << host.lines[0];
    EXPECT_NE(host.lines[1].find("[redacted]"), std::string::npos) << host.lines[1];
    EXPECT_NE(host.lines[2].find("n:2"), std::string::npos) << host.lines[2];
    EXPECT_EQ(host.lines[3].substr(0, 7), "< E3002") << host.lines[3];
    EXPECT_EQ(host.lines[4].substr(0, 7), "< E1001") << host.lines[4];
    EXPECT_EQ(host.lines[5].substr(0, 2), "> ");
    EXPECT_EQ(host.lines[6].substr(0, 7), "> E1002") << host.lines[6];
    EXPECT_NE(host.lines[7].find("sync"), std::string::npos) << host.lines[7];
    for (auto &line : host.lines) EXPECT_EQ(line.find("secret"), std::string::npos) << line;
}

// Both sides add it, and open sessions use it at once.
TEST_F(SessionHooks, ASchemaWhileSessionsAreOpen) {
    const std::string
        document =
            R"({"schemas":{"job":{"code":"JB","version":1,"fields":["name","retries"],"defaults":{"retries":3}}}})",
        json =
            R"({"agent":"a","intent":"req","operation":"x","payload":{"schema":"JB","name":"build"}})";
    Handle<accp_store> other_store = open_store();
    Handle<accp_engine> other_engine = open_engine(other_store.get());
    Handle<accp_session> other = open_session(other_engine.get());
    EXPECT_EQ(send(session.get(), json), "E1003");
    for (accp_engine *each : {engine.get(), other_engine.get()}) {
        EXPECT_EQ(accp_engine_register_schema(each, "{", 1, nullptr), ACCP_E1001);
        ASSERT_EQ(accp_engine_register_schema(each, document.data(), document.size(), nullptr),
                  ACCP_OK);
        accp_registry *registry = accp_engine_share_registry(each);
        uint32_t number = 0;
        EXPECT_EQ(accp_registry_find(registry, "JB", 2, &number, nullptr), ACCP_OK);
        accp_registry_free(registry);
    }
    EXPECT_EQ(receive(other.get(), send(session.get(), json)), ACCP_OK);
    std::vector<Delivered> got = drain(other.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(R"("retries":3)"), std::string::npos) << got[0].json;
    other = open_session(other_engine.get());
    EXPECT_NE(resolve(other.get(), "cold.m1").find("retries"), std::string::npos);
}

}  // namespace
