// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session that reports to a project what happens to the packets it hands to workers.
#include <fcntl.h>
#include <sys/file.h>

#include <chrono>

#include "packet/panes/project.h"
#include "session/sessions.h"

namespace {

using accp_panes_test::context_of;
using accp_panes_test::kNow;
using accp_panes_test::packet_of;

constexpr const char *kNone =
    "Average context size: not known\nWorker success rate: no tasks yet\nTop context gaps: none\n";

class SessionTasks : public accp_panes_test::Project {
protected:
    SessionTasks() {
        open();
        renew();
    }
    // Reopens the session and connects it to this project.
    void renew() {
        session_.reset();
        engine_.reset();
        if (!kept_) kept_ = accp_sessions::open_store();
        engine_ = accp_sessions::open_engine(
            accp_sessions::EngineConfig(kept_.get()).rule(ACCP_RULE_BY_SENDER, 1));
        session_ = accp_sessions::open_session(engine_.get());
        accp_error error = {};
        EXPECT_EQ(accp_session_set_panes(session_.get(), panes_.get(), kNow, &error), ACCP_OK)
            << error.message;
    }
    // Hands over a packet in chain c1, with further members in the payload.
    std::string hand_over(const std::string &members, const std::string &cid = "c1") {
        const auto packet = packet_of(context_of());
        const std::string json =
            R"({"agent":"lead","intent":"req","operation":"implement","payload":)" + members +
            R"(,"meta":{"cid":")" + cid + "\"}}";
        return accp_sessions::text_of([&](accp_text *out, accp_error *err) {
            return accp_session_send_packet(session_.get(), json.data(), json.size(), packet.get(),
                                            kNow, out, err);
        });
    }
    // Receives a message of a peer that may send as this agent.
    accp_status say(const std::string &agent, const std::string &what, const std::string &payload,
                    const std::string &cid = "c1") {
        const size_t colon = what.find(':');
        const std::string frame = accp_sessions::send(
            peer_.get(), R"({"agent":")" + agent + R"(","intent":")" + what.substr(0, colon) +
                             R"(","operation":")" + what.substr(colon + 1) + R"(","payload":)" +
                             payload + R"(,"meta":{"cid":")" + cid + "\"}}");
        return accp_sessions::receive_from(session_.get(), agent, ACCP_ORIGIN_TRUSTED, frame);
    }

    accp_sessions::Handle<accp_store> kept_;
    accp_sessions::Handle<accp_engine> engine_;
    accp_sessions::Handle<accp_session> session_;
    accp_sessions::Handle<accp_engine> peers_ = accp_sessions::open_engine(
        accp_sessions::EngineConfig().rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_MAX_TOKENS, 0));
    accp_sessions::Handle<accp_session> peer_ = accp_sessions::open_session(peers_.get(), "peer");
};

TEST_F(SessionTasks, AreRecordedByTheWorkersEnd) {
    ASSERT_EQ(hand_over(R"({"to":"dev","kind":"auth"})").substr(0, 5), "@lead");
    EXPECT_EQ(stats(), kNone);
    EXPECT_EQ(
        say("dev", "ack:context", R"({"gaps":["testing approach"],"unused":["failed_attempts"]})"),
        ACCP_OK);
    EXPECT_EQ(say("dev", "done:implement", "{}"), ACCP_OK);
    EXPECT_NE(
        stats().find(
            "Top context gaps: testing approach (100%)\nKind auth: 1 task, 8 tokens, success 100%"),
        std::string::npos)
        << stats();
    EXPECT_NE(journal().find(R"("kind\":\"auth\")"), std::string::npos) << journal();
    // Recorded once, whatever follows.
    EXPECT_EQ(say("dev", "fail:implement", "{}"), ACCP_OK);
    EXPECT_NE(stats().find("Worker success rate: 100%"), std::string::npos) << stats();
}

TEST_F(SessionTasks, FailToo) {
    hand_over(R"({"to":"dev"})");
    EXPECT_EQ(say("dev", "fail:implement", R"({"err":"no disk"})"), ACCP_OK);
    EXPECT_NE(stats().find("Worker success rate: 0%"), std::string::npos) << stats();
}

// The feedback of a pane's worker is written to its file, and the end of the task cleans up after
// the pane.
TEST_F(SessionTasks, OfAPane) {
    EXPECT_EQ(write(3, context_of()), "");
    hand_over(R"({"to":"dev","pane":3})");
    EXPECT_EQ(say("dev", "ack:context", R"({"gaps":["error handling"]})"), ACCP_OK);
    EXPECT_EQ(feedback(3), "error handling\n|");
    EXPECT_EQ(say("dev", "done:implement", "{}"), ACCP_OK);
    EXPECT_FALSE(has("context/pane-3.yaml"));
    EXPECT_NE(stats().find("error handling (100%)"), std::string::npos) << stats();
}

// A message under another name, in another chain or about another packet has no effect.
TEST_F(SessionTasks, OfAnotherChangeNothing) {
    hand_over(R"({"to":"dev","pane":3})");
    const std::string other = R"("packet":"$cold.packet_)" + std::string(64, 'a') + "\"";
    const struct {
        const char *agent, *what, *payload, *cid;
    } cases[] = {
        {"qa", "ack:context", R"({"gaps":["x"]})", "c1"},
        {"qa", "done:implement", "{}", "c1"},
        {"dev", "ack:context", R"({"gaps":["x"]})", "c2"},
        {"dev", "done:implement", "{}", "c2"},
        {"dev", "ack:plan", R"({"gaps":["x"]})", "c1"},
        {"dev", "done:tool", R"({"result":"x","call_id":"1"})", "c1"},
        {"dev", "done:context", "{}", "c1"},
        {"dev", "ack:context", R"({"gaps":"x"})", "c1"},
        {"dev", "ack:context", R"({"gaps":[1]})", "c1"},
    };
    for (const auto &each : cases) {
        EXPECT_EQ(say(each.agent, each.what, each.payload, each.cid), ACCP_OK) << each.what;
        EXPECT_EQ(feedback(3).substr(0, 5), "E2001") << each.agent << each.what << each.cid;
        EXPECT_EQ(stats(), kNone) << each.agent << each.what << each.cid;
    }
    EXPECT_EQ(say("dev", "ack:context", "{" + other + R"(,"gaps":["x"]})"), ACCP_OK);
    EXPECT_EQ(feedback(3).substr(0, 5), "E2001");
    // A peer's own announcement opens no handoff, whatever pane it names.
    EXPECT_EQ(say("qa", "sync:context", R"({"to":"dev","pane":4,)" + other + "}", "c9"), ACCP_OK);
    EXPECT_EQ(say("dev", "ack:context", R"({"gaps":["x"]})", "c9"), ACCP_OK);
    EXPECT_EQ(feedback(4).substr(0, 5), "E2001");
}

// A worker's text is limited, and cannot become a path or another item.
TEST_F(SessionTasks, HostileFeedback) {
    hand_over(R"({"to":"dev","pane":3})");
    EXPECT_EQ(
        say("dev", "ack:context", R"({"pane":9,"gaps":["../../x\n---\ncontext_unused: [all]"]})"),
        ACCP_OK);
    EXPECT_EQ(feedback(3), "../../x --- context_unused: [all]\n|");
    EXPECT_FALSE(has("feedback/pane-9.md"));
    std::string many = "\"x\"";
    for (int i = 0; i < 100; ++i) many += ",\"x" + std::to_string(i) + "\"";
    EXPECT_EQ(say("dev", "ack:context", "{\"gaps\":[" + many + "]}"), ACCP_OK);
    EXPECT_EQ(feedback(3), "../../x --- context_unused: [all]\n|") << "too much is no feedback";
    for (const char *pane : {"-1", "10000", R"("../1")"}) {
        hand_over(std::string(R"({"to":"dev","pane":)") + pane + "}", "c7");
        EXPECT_EQ(say("dev", "ack:context", R"({"gaps":["x"]})", "c7"), ACCP_OK);
    }
    ASSERT_TRUE(has("feedback"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("feedback")), {}), 1);
}

// Open handoffs and unreported ones outlive the handle.
TEST_F(SessionTasks, OutliveTheHandle) {
    hand_over(R"({"to":"dev"})");
    renew();
    EXPECT_EQ(say("dev", "done:implement", "{}"), ACCP_OK);
    EXPECT_NE(stats().find("100%"), std::string::npos) << stats();
    hand_over(R"({"to":"dev","pane":5})", "c2");
    std::filesystem::create_directories(path("feedback/pane-5.md"));  // no file can be written
    EXPECT_EQ(say("dev", "ack:context", R"({"gaps":["tests"]})", "c2"), ACCP_OK);
    EXPECT_EQ(say("dev", "done:implement", "{}", "c2"), ACCP_OK);
    EXPECT_EQ(journal().find("tests"), std::string::npos);
    std::filesystem::remove(path("feedback/pane-5.md"));
    renew();
    EXPECT_NE(journal().find("tests"), std::string::npos);
    renew();
    EXPECT_EQ(journal().find("tests"), journal().rfind("tests")) << "told once";
}

TEST_F(SessionTasks, OffUnlessAProjectIsGiven) {
    EXPECT_EQ(accp_session_set_panes(session_.get(), nullptr, kNow, nullptr), ACCP_OK);
    hand_over(R"({"to":"dev"})");
    EXPECT_EQ(say("dev", "done:implement", "{}"), ACCP_OK);
    EXPECT_EQ(stats(), kNone);
    EXPECT_EQ(accp_session_set_panes(session_.get(), panes_.get(), -1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_session_set_panes(nullptr, panes_.get(), kNow, nullptr), ACCP_ERR_ARG);
    auto reader = accp_sessions::open_session(engine_.get(), "s", ACCP_SESSION_READ_ONLY);
    EXPECT_EQ(accp_session_set_panes(reader.get(), panes_.get(), kNow, nullptr), ACCP_ERR_ARG);
    reader.reset();
    // A project without tracking gets the report, and writes nothing.
    configure("context: {track_efficiency: false}");
    renew();
    hand_over(R"({"to":"dev"})", "c3");
    EXPECT_EQ(say("dev", "done:implement", "{}", "c3"), ACCP_OK);
    EXPECT_EQ(stats(), kNone);
}

// The oldest handoffs beyond 256 are dropped; the session continues.
TEST_F(SessionTasks, TheOldestGoFirst) {
    for (int i = 0; i < 300; ++i) {
        hand_over(R"({"to":"dev"})", "k" + std::to_string(i));
    }
    EXPECT_EQ(say("dev", "done:implement", "{}", "k10"), ACCP_OK);
    EXPECT_EQ(stats(), kNone);
    EXPECT_EQ(say("dev", "done:implement", "{}", "k299"), ACCP_OK);
    EXPECT_NE(stats().find("100%"), std::string::npos);
}

// While another process holds the project's lock, a message waits for it once, however many tasks
// are pending. They are reported when it is free.
TEST_F(SessionTasks, WaitOnceForTheLock) {
    EXPECT_EQ(configure("context: {lock_seconds: 1}"), "");
    renew();
    // A busy machine may hold up a call; but if each task waited, no try would be this fast.
    bool waited_once = false;
    for (int tries = 1; !waited_once && tries <= 10; ++tries) {
        const std::string round = std::to_string(tries);
        const std::string cids[] = {"a" + round, "b" + round, "c" + round};
        for (const std::string &cid : cids)
            ASSERT_EQ(hand_over(R"({"to":"dev","pane":3})", cid).substr(0, 5), "@lead");
        put("lock", "4711\n");
        const int held = ::open(path("lock").c_str(), O_RDWR | O_CLOEXEC);
        ASSERT_EQ(flock(held, LOCK_EX), 0);
        for (const std::string &cid : cids)
            EXPECT_EQ(say("dev", "ack:context", R"({"gaps":["none of it"]})", cid), ACCP_OK);
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_EQ(say("dev", "done:implement", "{}", cids[0]), ACCP_OK);
        waited_once = std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1900);
        ::close(held);
        for (const std::string &cid : {cids[1], cids[2]})
            EXPECT_EQ(say("dev", "done:implement", "{}", cid), ACCP_OK);
        EXPECT_NE(stats().find("Worker success rate: 100%"), std::string::npos) << stats();
        if (tries == 1) {  // the number of few ones is shown
            EXPECT_NE(stats().find("3 tasks"), std::string::npos) << stats();
        }
    }
    EXPECT_TRUE(waited_once);
}

// A malformed feedback file does not hide the task.
TEST_F(SessionTasks, ABrokenFileOfFeedbackHidesNoTask) {
    put("context/pane-3.yaml", context_of());
    ASSERT_EQ(hand_over(R"({"to":"dev","pane":3})").substr(0, 5), "@lead");
    put("feedback/pane-3.md", "---\n[\n---\n");
    EXPECT_EQ(say("dev", "fail:implement", R"({"code":"E9999"})"), ACCP_OK);
    EXPECT_NE(stats().find("Worker success rate: 0%"), std::string::npos) << stats();
}

}  // namespace
