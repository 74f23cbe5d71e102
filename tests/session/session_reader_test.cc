// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Several handles of one session: one writes, the others read. Also, a refused opening changes
// nothing.
#include <cstring>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr const char *kReadMessage =
    R"({"agent":"a","intent":"done","operation":"plan","payload":{"out":"parser.cc"}})";

struct SessionReader : testing::Test, OneSession {
    Handle<accp_session> &writer = session;

    static accp_status read(accp_engine *engine, const std::string &id, Handle<accp_session> &out,
                            accp_error *err = nullptr) {
        accp_session *made = nullptr;
        accp_status status =
            accp_session_open(engine, id.data(), id.size(), ACCP_SESSION_READ_ONLY, &made, err);
        out.reset(made);
        return status;
    }
};

TEST_F(SessionReader, SeesWhatStandsAndShutsNobodyOut) {
    ASSERT_EQ(append(writer.get(), kReadMessage), ACCP_OK);
    Handle<accp_session> reader;
    ASSERT_EQ(read(engine.get(), "s", reader), ACCP_OK);
    EXPECT_EQ(context(reader.get()), context(writer.get()));
    EXPECT_EQ(resolve(reader.get(), "$cold.m1"), kReadMessage);
    EXPECT_EQ(append(writer.get(), kReadMessage), ACCP_OK) << "the writer goes on";
    EXPECT_EQ(accp_session_record_count(reader.get()), 1u)
        << "a reader sees what stood when it was opened";
    ASSERT_EQ(read(engine.get(), "s", reader), ACCP_OK);
    EXPECT_EQ(accp_session_record_count(reader.get()), 2u);
}

TEST_F(SessionReader, ChangesNothing) {
    Handle<accp_session> reader;
    ASSERT_EQ(read(engine.get(), "s", reader), ACCP_OK);
    EXPECT_EQ(append(reader.get(), kReadMessage), ACCP_ERR_ARG);
    EXPECT_EQ(send(reader.get(), kReadMessage), "ERR_ARG");
    EXPECT_EQ(put(reader.get(), "warm.k", "1"), ACCP_ERR_ARG);
    EXPECT_EQ(accp_session_checkpoint(reader.get(), kNow, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_session_end(reader.get(), kNow, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_session_record_count(reader.get()), 0u);
    EXPECT_EQ(append(writer.get(), kReadMessage), ACCP_OK);
}

TEST_F(SessionReader, MakesNoSession) {
    Handle<accp_session> reader;
    EXPECT_EQ(read(engine.get(), "another", reader), ACCP_E2001);
    EXPECT_EQ(reader, nullptr);
    int sessions = 0;
    auto each = [](const char *, size_t, void *user) { return ++*static_cast<int *>(user), 0; };
    EXPECT_EQ(accp_store_each_session(store.get(), each, &sessions, nullptr), ACCP_OK);
    EXPECT_EQ(sessions, 1);
}

// ACCP-1.3-02: an ended session can still be read.
TEST_F(SessionReader, ReadsWhatHasEnded) {
    ASSERT_EQ(append(writer.get(), kReadMessage), ACCP_OK);
    const std::string last = context(writer.get());
    ASSERT_EQ(accp_session_end(writer.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(context(writer.get()), last);
    Handle<accp_session> reader;
    ASSERT_EQ(read(engine.get(), "s", reader), ACCP_OK);
    EXPECT_EQ(context(reader.get()), last);
    EXPECT_EQ(append(writer.get(), kReadMessage), ACCP_ERR_CLOSED);
}

TEST_F(SessionReader, ARefusedOpeningShutsNobodyOut) {
    // `done` creates a checkpoint, and with it a snapshot with the rules
    ASSERT_EQ(append(writer.get(), kReadMessage), ACCP_OK);
    Handle<accp_engine> other = open_engine(EngineConfig(store.get()).rule(ACCP_RULE_RETAINED, 20));
    accp_session *made = nullptr;
    EXPECT_EQ(accp_session_open(other.get(), "s", 1, 0, &made, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(append(writer.get(), kReadMessage), ACCP_OK);
}

// A delivered message can be sent on: it gets a new mid, seq, ts and sid.
TEST_F(SessionReader, ForwardingGivesAFreshEnvelope) {
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"plan","payload":{"n":1},"meta":{"mid":"b00000000007","seq":50,"ts":1,"sid":"zzz","cid":"c9","hop":2}})";
    const std::string frame = send(writer.get(), json);
    EXPECT_NE(frame.find(",seq:1,ts:1714000000,cid:c9,hop:2]"), std::string::npos) << frame;
    EXPECT_EQ(frame.find("b00000000007"), std::string::npos) << frame;
    EXPECT_EQ(frame.find("sid:"), std::string::npos) << frame;
    EXPECT_NE(send(writer.get(), json).find(",seq:2,"), std::string::npos);
}

// Refs that are reserved for the session can be neither set nor erased.
TEST_F(SessionReader, ItsOwnRefsStayItsOwn) {
    ASSERT_EQ(append(writer.get(), kReadMessage), ACCP_OK);
    for (const char *ref :
         {"warm.ckpt_1", "$warm.ckpt_1", "hot.state", "hot.m1", "cold.m1", "cold.t1"}) {
        EXPECT_EQ(put(writer.get(), ref, "1"), ACCP_E1004) << ref;
        EXPECT_EQ(accp_session_remove(writer.get(), ref, strlen(ref), nullptr), ACCP_E1004) << ref;
    }
    EXPECT_NE(resolve(writer.get(), "warm.ckpt_1"), "E2001");
    EXPECT_EQ(put(writer.get(), "$warm.ckpt", "1"), ACCP_OK)
        << "a name of the host's, as a context would spell it";
    EXPECT_EQ(resolve(writer.get(), "warm.ckpt"), "1");
}

// The agent of a state must be a valid name. It is never read as JSON.
TEST_F(SessionReader, TheStatesAgentIsAName) {
    auto say = [&](const std::string &agent) {
        accp_error err = {};
        std::string out = text_of([&](accp_text *text, accp_error *error) {
            accp_status status = accp_session_send_state(writer.get(), agent.data(), agent.size(),
                                                         "{\"n\":1}", 7, kNow, text, error);
            err = *error;
            return status;
        });
        EXPECT_EQ(err.offset, 0u);
        return out;
    };
    for (const char *agent : {"", "u u", "u\\u0061", "a\",\"meta\":{\"x\":1},\"b\":\""})
        EXPECT_EQ(say(agent), "E1001") << agent;
    EXPECT_EQ(accp_session_record_count(writer.get()), 0u);
    EXPECT_EQ(say("a").substr(0, 14), "@a>sync:state{");
}

// Checkpoints of `done` do not shorten a few short messages, also after reopening.
TEST_F(SessionReader, AHistoryThatFitsStaysWhole) {
    for (const char *said : {"the customer wants Q3 findings first", "then the summary",
                             "and a chart of churn", "send it to Ana"})
        ASSERT_EQ(append(writer.get(),
                         R"({"agent":"a","intent":"done","operation":"plan","payload":{"note":")" +
                             std::string(said) + "\"}}"),
                  ACCP_OK);
    EXPECT_EQ(accp_session_newest_checkpoint(writer.get()), 4u);
    const std::string text = context(writer.get());
    EXPECT_NE(text.find("the customer wants Q3 findings first"), std::string::npos) << text;
    writer = open_session(engine.get());
    EXPECT_EQ(context(writer.get()), text);
}

TEST_F(SessionReader, ATimeIsNotNegative) {
    EXPECT_EQ(append(writer.get(), kReadMessage, -1), ACCP_ERR_ARG);
    EXPECT_EQ(send(writer.get(), kReadMessage, -1), "ERR_ARG");
    EXPECT_EQ(resolve(writer.get(), "hot.state", -1), "ERR_ARG");
    EXPECT_EQ(accp_session_checkpoint(writer.get(), -1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_session_record_count(writer.get()), 0u);
}

TEST_F(SessionReader, ACheckpointOfNothingIsNothing) {
    EXPECT_EQ(accp_session_checkpoint(writer.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(accp_session_record_count(writer.get()), 0u);
    ASSERT_EQ(append(writer.get(),
                     R"({"agent":"a","intent":"req","operation":"plan","payload":{"n":1}})"),
              ACCP_OK);
    EXPECT_EQ(accp_session_checkpoint(writer.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(accp_session_checkpoint(writer.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(accp_session_record_count(writer.get()), 2u);
    EXPECT_EQ(accp_session_newest_checkpoint(writer.get()), 1u);
}

// An export with a missing line or a changed byte is imported. Opening it for writing or reading
// works, or reports damage.
TEST(SessionImport, OneThatIsDamagedSaysSo) {
    std::string exported;
    const auto keep = [](const char *text, size_t len, void *user) {
        return static_cast<std::string *>(user)->append(text, len), 0;
    };
    {
        Handle<accp_store> store = open_store();
        Handle<accp_engine> engine = open_engine(
            EngineConfig(store.get()).rule(ACCP_RULE_PARTS, 1).rule(ACCP_RULE_DEADLINE_MS, 1000));
        Handle<accp_session> session = open_session(engine.get());
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(append(session.get(), kReadMessage), ACCP_OK);
            EXPECT_NE(
                send(session.get(),
                     R"({"agent":"a","intent":"req","operation":"plan","payload":{"task":"x"}})"),
                "");
            EXPECT_NE(send_state(session.get(), R"({"k":"v)" + std::to_string(i) + "\"}"), "");
            EXPECT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
        }
        ASSERT_EQ(accp_store_export(store.get(), "s", 1, keep, &exported, nullptr), ACCP_OK);
    }
    std::vector<std::string> damaged;
    for (size_t at = 0; at < exported.size(); at = exported.find('\n', at) + 1)
        damaged.push_back(std::string(exported).erase(at, exported.find('\n', at) - at + 1));
    for (size_t at = 0; at < exported.size(); at += 3)
        for (char c : {'0', '9', 'a', 'f'}) {
            damaged.push_back(exported);
            damaged.back()[at] = c;
        }
    size_t opened = 0, corrupt = 0;
    for (const std::string &text : damaged) {
        Handle<accp_store> store = open_store();
        if (accp_store_import(store.get(), text.data(), text.size(), nullptr) != ACCP_OK) continue;
        Handle<accp_engine> engine =
            open_engine(EngineConfig(store.get()).rule(ACCP_RULE_PARTS, 1));
        for (uint32_t flags : {uint32_t{ACCP_SESSION_READ_ONLY}, 0u}) {
            accp_session *made = nullptr;
            accp_error error = {};
            const accp_status status =
                accp_session_open(engine.get(), "s", 1, flags, &made, &error);
            const Handle<accp_session> session(made);
            opened += status == ACCP_OK;
            corrupt += status == ACCP_ERR_CORRUPT;
            const bool told =
                status == ACCP_OK || status == ACCP_ERR_CORRUPT || status == ACCP_E2001 ||
                (status == ACCP_ERR_ARG && std::strstr(error.message, "other context rules"));
            EXPECT_TRUE(told) << accp_status_code_name(status) << ": " << error.message;
        }
    }
    EXPECT_GT(opened, 100u);
    EXPECT_GT(corrupt, 100u);
}

}  // namespace
