// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session: state that is kept between runs, and replay.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "run_accp.h"

namespace {

class CliSession : public testing::Test {
protected:
    void SetUp() override { remove(); }
    void TearDown() override { remove(); }
    void remove() const {
        for (const char *end : {"", "-wal", "-shm"}) std::remove((path_ + end).c_str());
    }
    Ran session(const std::string &action, Args more = {}, std::string_view input = {}) const {
        Args args = {"session", action, "--store", "sqlite:" + path_, "--now", "1714000000000"};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args, input);
    }
    static std::string message(const std::string &intent, const std::string &text) {
        return R"({"agent":"a","to":"b","intent":")" + intent +
               R"(","operation":"plan","payload":{"task":")" + text + "\"}}\n";
    }
    const std::string path_ = testing::TempDir() + "accp_session_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name() + ".db";
};

TEST_F(CliSession, WhatWasSaidOutlivesTheCommand) {
    Ran run = session("append", {"--ignore", "to"},
                      message("req", "write the parser") + message("done", "parser.cc is written"));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "1\n2\n");
    EXPECT_NE(session("context").out.find("parser.cc"), std::string::npos);
    EXPECT_EQ(session("log").out,
              "1\tM\t1714000000000\t{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"plan\","
              "\"payload\":{\"task\":\"write the parser\"}}\n"
              "2\tM\t1714000000000\t{\"agent\":\"a\",\"intent\":\"done\",\"operation\":\"plan\","
              "\"payload\":{\"task\":\"parser.cc is "
              "written\"}}\n");
    EXPECT_EQ(session("resolve", {"$cold.m1.payload.task"}).out, "\"write the parser\"\n");
    EXPECT_EQ(session("list").out, "default\n");
    EXPECT_EQ(session("append", {"--session", "other"}, message("req", "x")).out, "1\n");
    EXPECT_EQ(session("list").out, "default\nother\n");
    run = session("resolve", {"warm.none"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("E2001"), std::string::npos) << run.err;
}

// Makes a packet of the session, for its first request or for another task.
TEST_F(CliSession, ACheckpointBecomesAPacket) {
    session("append", {"--ignore", "to"}, message("req", "login") + message("fail", "parser"));
    Ran run = session("checkpoint", {"--packet", "--depth", "deep"});
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char *line : {"creator: harness\n", "target_task: plan login\n",
                             "approach: plan parser\n", "    - $cold.m2\n", "checksum: sha256:"})
        EXPECT_NE(run.out.find(line), std::string::npos) << line << run.out;
    EXPECT_EQ(run_accp({"context", "validate", "-"}, run.out).status, 0);
    run = session("checkpoint", {"--packet", "Go on", "--agent", "orchestrator", "--budget", "40"});
    EXPECT_NE(run.out.find("creator: orchestrator\ntarget_task: Go on\n"), std::string::npos)
        << run.out << run.err;
    run = session("checkpoint", {"--packet", "Go on", "--budget", "3"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("E2003"), std::string::npos) << run.err;
    EXPECT_EQ(session("checkpoint").out, "$warm.ckpt_1\n");
    EXPECT_EQ(session("checkpoint", {"Go on"}).status, 2);
}

// A new session begins with the packet of the old one, and so does the session after it.
TEST_F(CliSession, ACheckpointAndANewStart) {
    const std::string asked =
        R"({"agent":"user","intent":"req","operation":"plan","payload":{"content":"Mend src/a.cc. )"
        R"(You must not touch b.cc."}})";
    session("append", {}, asked + "\n");
    session("append", {"--ignore", "to"}, message("fail", "parser"));
    Ran run = session("checkpoint", {"--reset"});
    EXPECT_EQ(run.out, "default-2\n") << run.err;
    EXPECT_NE(session("append", {}, asked).err.find("ERR_CLOSED"), std::string::npos);
    run = session("context", {"--session", "default-2"});
    for (const char *line : {"- You must not touch b.cc.\n", "- plan parser\n", "- src/a.cc\n"})
        EXPECT_NE(run.out.find(line), std::string::npos) << line << run.out;
    EXPECT_NE(session("packet", {"$cold.m1", "--session", "default-2"}).out.find("- $cold.m2\n"),
              std::string::npos)
        << "its sources are messages of the old one";
    run = session("checkpoint", {"--reset", "--packet", "--session", "default-2"});
    EXPECT_NE(run.out.find("\ndefault-3\n"), std::string::npos) << run.out << run.err;
    for (const char *line : {"target_task: Mend src/a.cc. You must not touch b.cc.\n",
                             "    - You must not touch b.cc.\n", "approach: plan parser\n",
                             "path: src/a.cc\n", "    - $cold.m1\n"})
        EXPECT_NE(run.out.find(line), std::string::npos) << line << run.out;
    EXPECT_EQ(session("list").out, "default\ndefault-2\ndefault-3\n");
    EXPECT_EQ(run_accp({"session", "checkpoint", "--reset"}).status, 2);
}

// A message carries a packet; the other side requests a layer and gets it.
TEST_F(CliSession, MessagesCarryPackets) {
    const std::string path = path_ + ".yaml";
    std::ofstream(path) << "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\n"
                           "target_task: t\ncontext: {goal: g, decisions: [{choice: JWT}]}\n";
    Ran run = session("send", {"--carry", path},
                      R"({"agent":"a","intent":"sync","operation":"context","payload":{}})");
    EXPECT_EQ(run.out.find("@a>sync:context{packet:\\$cold.packet_"), 0u) << run.out << run.err;
    EXPECT_NE(run.out.find("|layers:{decisions:"), std::string::npos) << run.out;
    run = session("packet", {"$cold.m1"});
    EXPECT_NE(run.out.find("target_task: t\n"), std::string::npos) << run.out << run.err;
    const std::string ref = session("resolve", {"$cold.m1.payload.packet"}).out.substr(1, 77);
    session("append", {},
            R"({"agent":"dev","intent":"qry","operation":"context","payload":{"packet":")" + ref +
                R"(","layers":["decisions"]},"meta":{"mid":"a00000000001","seq":2,"ts":1}})");
    run = session("packet", {"$cold.m2", "--reply", "--agent", "a"});
    EXPECT_EQ(run.out.find("@a>done:context{layers:[decisions]|content:"), 0u)
        << run.out << run.err;
    EXPECT_NE(run.out.find("JWT"), std::string::npos) << run.out;
    run = session("packet", {"$cold.m3"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("E1001: the message carries no packet"), std::string::npos) << run.err;
    std::remove(path.c_str());
}

// The worker's feedback and result reach the project's statistics without another call.
TEST_F(CliSession, AProjectIsToldOfTasks) {
    const std::string directory = path_ + ".project", packet = directory + "/packet.yaml";
    std::filesystem::create_directories(directory);
    std::ofstream(packet) << "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\n"
                             "target_task: t\ncontext: {goal: g}\n";
    const Args told = {"--project", directory};
    Ran run =
        session("send", {"--project", directory, "--carry", packet},
                R"({"agent":"a","intent":"req","operation":"implement","payload":{"to":"dev",)"
                R"("pane":1},"meta":{"cid":"c1"}})");
    EXPECT_EQ(run.status, 0) << run.err;
    const std::string from = R"({"agent":"dev","intent":")", chain = R"("meta":{"cid":"c1"}})";
    run =
        session("append", told,
                from + R"(ack","operation":"context","payload":{"gaps":["testing approach"]},)" +
                    chain + "\n" + from + R"(done","operation":"implement","payload":{},)" + chain);
    EXPECT_EQ(run.status, 0) << run.err;
    run = run_accp({"context", "stats", "--directory", directory});
    EXPECT_NE(run.out.find("Top context gaps: testing approach (100%)"), std::string::npos)
        << run.out << run.err;
    run = run_accp({"context", "feedback", "--directory", directory, "--pane", "1"});
    EXPECT_EQ(run.out, "Context gaps:\n- testing approach\n");
    std::filesystem::remove_all(directory);
}

// Each form of transcript can be appended, and replayed as the resulting messages.
TEST_F(CliSession, EachFormIsAppendedAndReplayed) {
    const struct {
        const char *name, *said;
    } forms[] = {
        {"openai",
         R"([{"role":"user","content":"Fix it."},{"role":"assistant","content":"Yes."}])"},
        {"anthropic", R"({"messages":[{"role":"user","content":"Fix it."},)"
                      R"({"role":"assistant","content":[{"type":"text","text":"Yes."}]}]})"},
        {"claude-code",
         "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"Fix "
         "it.\"}}\n"
         "{\"type\":\"assistant\",\"sessionId\":\"s\",\"message\":{\"role\":\"assistant\",\"id\":"
         "\"m\","
         "\"content\":[{\"type\":\"text\",\"text\":\"Yes.\"}]}}\n"},
        {"specstory", "_**User**_\n\nFix it.\n\n---\n\n_**Assistant**_\n\nYes.\n"},
        {"aider", "# aider chat started at 2024-01-01 10:00:00\n\n#### Fix it.\n\nYes.\n"},
        {"speakers", "User: Fix it.\nAssistant: Yes.\n"},
    };
    for (const auto &form : forms) {
        SCOPED_TRACE(form.name);
        remove();
        Ran run = session("append", {"--from", form.name}, form.said);
        EXPECT_EQ(run.out, "2\n") << run.err;
        run = run_accp({"session", "replay", "--from", form.name, "--contexts"}, form.said);
        EXPECT_EQ(run.status, 0) << run.err;
        const std::vector<std::string> lines = lines_of(run.out);
        ASSERT_EQ(lines.size(), 2u) << run.out;
        EXPECT_NE(lines[1].find("Fix it."), std::string::npos) << run.out;
    }
    EXPECT_EQ(run_accp({"session", "replay", "--from", "none", "--report"}, "x").status, 2);
}

// Reads the messages of a provider's client, and prints contexts in the provider's form.
TEST_F(CliSession, FromAndToProviders) {
    const std::string said =
        R"([{"role":"user","content":"Fix it."},{"role":"assistant","content":"Look.","tool_calls":)"
        R"([{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"of\":\"src\"}"}}]},)"
        R"({"role":"tool","tool_call_id":"c1","content":"a.c\nb.c"}])";
    EXPECT_EQ(session("append", {"--from", "openai"}, said).out, "3\n");
    const Ran wrong =
        session("append", {"--from", "openai"}, R"([{"role":"user","content":"a"},{"role":"x"}])");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_EQ(wrong.err.find("accp: E1001: -: message 2 at byte 39: "), 0u) << wrong.err;
    EXPECT_EQ(session("context", {"--as", "openai"}).out,
              "[{\"role\":\"user\",\"content\":\"Fix it.\"},"
              "{\"role\":\"assistant\",\"content\":\"Look.\",\"tool_calls\":[{\"id\":\"c1\","
              "\"type\":\"function\",\"function\":{\"name\":\"ls\",\"arguments\":"
              "\"{\\\"of\\\":\\\"src\\\"}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c1\","
              "\"content\":\"a.c\\nb.c\"}]\n");
    const std::string blocks = session("context", {"--blocks"}).out;
    EXPECT_EQ(blocks.rfind("{\"kind\":\"pinned\",\"stable\":true,\"tokens\":", 0), 0u) << blocks;
    EXPECT_NE(blocks.find("\n{\"kind\":\"newest\",\"stable\":true,"), blocks.npos) << blocks;
    EXPECT_EQ(session("answer", {R"({"ref":"$cold.m3","lines":"2"})"}).out, "lines 2-2 of 2:\nb.c");
    Ran run = session("append", {"--from", "anthropic"}, R"({"role":7})");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("E1001"), run.err.npos) << run.err;
    EXPECT_EQ(session("append", {"--from", "mcp"}, said).status, 1) << "it has no messages";
    EXPECT_EQ(session("append", {"--from", "nobody"}, said).status, 2);
    EXPECT_EQ(run_accp({"session", "tool", "--as", "mcp"}, "").out.find("{\"name\":\"resolve\""),
              0u);
    EXPECT_EQ(run_accp({"session", "tool"}, "").status, 2);
}

// Ids are escaped, so that they cannot control a terminal or look like two ids. An id that is not
// UTF-8 is refused.
TEST_F(CliSession, IdsAreEscaped) {
    EXPECT_EQ(session("append", {"--session", "a\nb\x1b[2J"}, message("req", "x")).status, 0);
    EXPECT_EQ(session("list").out, "a\\u000Ab\\u001B[2J\n");
    const Ran run = session("append", {"--session", "\xFF"}, message("req", "x"));
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("a session id must be UTF-8 text"), std::string::npos) << run.err;
    const std::string place = "sqlite:" + path_;
    ASSERT_EQ(run_accp({"store", "import", place},
                       "{\"session_hex\":\"ff1b\",\"version\":0,\"generation\":0,\"floor\":0}\n")
                  .status,
              0);
    EXPECT_EQ(session("append", {"--session", "\xFF\x1b"}, message("req", "x")).status, 0)
        << "one that is there opens";
    EXPECT_EQ(session("list").out, "a\\u000Ab\\u001B[2J\n\\xFF\\u001B\n");
}

// Read-only actions create neither a session nor a file.
TEST_F(CliSession, LookingMakesNothing) {
    EXPECT_EQ(session("context").status, 2);
    EXPECT_EQ(session("list").status, 2) << "there is a file now";
    EXPECT_EQ(session("append", {"--ignore", "to"}, message("req", "x")).status, 0);
    Ran run = session("context", {"--session", "typo"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("E2001"), std::string::npos) << run.err;
    EXPECT_EQ(session("list").out, "default\n");
}

TEST_F(CliSession, FramesThereAndBack) {
    Ran sent = session("send", {"--session", "here", "--ignore", "to"},
                       message("req", "write it") + "{}\n");
    EXPECT_EQ(sent.status, 1);
    EXPECT_NE(sent.out.find("@a>req:plan{task:\"write_it\"}[mid:"), std::string::npos) << sent.out;
    Ran got = session("receive", {"--session", "there"},
                      lines_of(sent.out)[0] + "\n" + lines_of(sent.out)[0] + "\n");
    EXPECT_EQ(got.status, 1);
    EXPECT_NE(got.err.find("record 2: E3002"), std::string::npos) << got.err;
    EXPECT_EQ(got.out.substr(0, 20), "[{\"seq\":1,\"message\":");
    EXPECT_EQ(got.out.substr(got.out.size() - 2), "\n\n");
}

// The output and the exit status distinguish expired, cancelled and held frames.
TEST_F(CliSession, WhatIsDroppedOrWaitsIsTold) {
    auto frame = [](int seq, const std::string &more = "") {
        return "@a>req:plan{n:1}[mid:b0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + more + "]\n";
    };
    Ran run = session("receive", {}, frame(1, ",ts:1713999990,ttl:5"));
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.out, "[{\"dropped\":\"its ttl has passed\"}]\n");
    EXPECT_EQ(run.err, "");
    run = session("receive", {}, "@a>cancel:chain{}[mid:b00000000002,seq:2,cid:c1]\n");
    EXPECT_EQ(run.status, 0);
    run = session("receive", {}, frame(3, ",cid:c1") + frame(4));
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(lines_of(run.out)[0], "[{\"dropped\":\"its chain was cancelled\"}]");
    EXPECT_EQ(lines_of(run.out)[1].substr(0, 20), "[{\"seq\":4,\"message\":");
    run = session("receive", {}, frame(6) + frame(7));
    EXPECT_EQ(run.status, 4);
    EXPECT_EQ(run.out, "[{\"seq\":6,\"held\":true}]\n[{\"held\":true}]\n");
    run = session("receive", {}, frame(6) + frame(4));
    EXPECT_EQ(run.status, 1) << "one was refused";
    run = session(
        "send", {"--ignore", "to"},
        R"({"agent":"us","intent":"done","operation":"plan","payload":{},"meta":{"cid":"c1"}})");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("DROPPED at byte 0: its chain was cancelled"), std::string::npos)
        << run.err;
}

TEST_F(CliSession, StateRefsAndGrants) {
    EXPECT_NE(session("state", {R"({"task_3":"done"})"})
                  .out.find("@harness>sync:state{v:1|state:{task_3:done}}["),
              std::string::npos);
    EXPECT_EQ(session("state").out, "{\"task_3\":\"done\"}\n");
    EXPECT_EQ(session("put", {"cold.report", "[1,2]"}).status, 0);
    EXPECT_EQ(session("resolve", {"cold.report.1"}).out, "2\n");
    EXPECT_EQ(session("grant", {"other", "cold."}).status, 0);
    EXPECT_EQ(session("revoke", {"other", "cold."}).status, 0);
    EXPECT_EQ(session("erase", {"cold.report"}).status, 0);
    EXPECT_EQ(session("resolve", {"cold.report"}).status, 1);
    EXPECT_EQ(session("end").status, 0);
    EXPECT_EQ(session("append", {}, message("req", "x")).status, 1);
}

TEST_F(CliSession, RequestsThatNobodyAnswers) {
    EXPECT_EQ(session("send", {"--rule", "deadline_ms=1000", "--ignore", "to"}, message("req", "x"))
                  .status,
              0);
    EXPECT_EQ(session("expire").out, "") << "not yet";
    const Args late = {"session", "expire", "--store", "sqlite:" + path_, "--now", "1714000001001"};
    EXPECT_EQ(run_accp(late).out.substr(0, 2), "1\t");
    EXPECT_EQ(run_accp(late).out, "") << "said once";
    EXPECT_EQ(session("retry", {"1"}).out.substr(0, 21), "@a>req:plan{task:x}[m");
    EXPECT_EQ(session("retry", {"x"}).status, 2);
    EXPECT_EQ(session("retry", {"9"}).status, 1);
    EXPECT_EQ(session("abandon", {"c1"}).status, 0);
}

TEST_F(CliSession, ReplayShowsEachStep) {
    const std::string messages = project_file("data/examples/trajectories/test-repo-1.jsonl");
    Ran run = run_accp({"session", "replay", "--contexts"}, messages);
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), lines_of(messages).size());
    EXPECT_EQ(lines[0], R"({"step":0,"tokens":0,"history_tokens":0,"context":""})");
    EXPECT_EQ(lines[5].substr(0, 10), "{\"step\":5,");
    run = run_accp({"session", "replay", "--report"}, messages);
    EXPECT_NE(run.out.find("  accp session "), std::string::npos) << run.out;
    EXPECT_EQ(run_accp({"session", "replay"}, messages).status, 2);
}

TEST_F(CliSession, Usage) {
    EXPECT_EQ(session("resolve").status, 2);
    EXPECT_EQ(session("budget", {"--rule", "window"}).status, 2);
    EXPECT_EQ(session("budget", {"--rule", "nothing=1"}).status, 2);
    EXPECT_EQ(session("budget", {"--rule", "issuer=100"}).status, 2);
    EXPECT_EQ(run_accp({"session", "dance"}).status, 2);
    EXPECT_EQ(run_accp({"session", "list", "--store", "tape:x"}).status, 2);
    EXPECT_EQ(
        session("append", {"--ignore", "to", "--rule", "hot_max=600"}, message("req", "x")).status,
        0);
    EXPECT_NE(session("budget", {"--rule", "nothing=1"}).err.find("known rules are window, gap_ms"),
              std::string::npos);
    EXPECT_NE(session("budget", {"--rule", "hot_max=600"}).out.find(" of 600 tokens"),
              std::string::npos);
}

}  // namespace
