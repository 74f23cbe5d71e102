// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay of a session's own log: --to, --compare, --chain.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "run_accp.h"
#include "server/json/writer.h"

namespace {

class CliReplayLog : public testing::Test {
protected:
    void SetUp() override { remove(); }
    void TearDown() override { remove(); }
    void remove() const {
        for (const char *end : {"", "-wal", "-shm", ".jsonl"}) std::remove((path_ + end).c_str());
    }
    Ran session(const std::string &action, Args more = {}, std::string_view input = {},
                const std::string &now = "1714000000000") const {
        Args args = {"session", action, "--store", "sqlite:" + path_, "--now", now};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args, input);
    }
    void append(int from, int to) const {
        std::string lines;
        for (int i = from; i < to; ++i)
            lines += R"({"agent":"a","intent":")" + std::string(i % 4 == 3 ? "done" : "req") +
                     R"(","operation":"plan","payload":{"task":"number )" + std::to_string(i) +
                     R"( of many words to say"}})" + "\n";
        ASSERT_EQ(session("append", {}, lines).status, 0);
    }
    std::string send(const std::string &cid, const std::string &intent = "req",
                     const std::string &now = "1714000000000") const {
        const Ran run = session("send", {"--rule", "deadline_ms=1000"},
                                R"({"agent":"me","intent":")" + intent +
                                    R"(","operation":"plan","payload":{"t":1},"meta":{"cid":")" +
                                    cid + "\"}}\n",
                                now);
        EXPECT_EQ(run.status, 0) << run.err;
        return run.out;
    }
    static std::string frame(const std::string &head, int seq, const std::string &more = {}) {
        return "@you>" + head + "[mid:a0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + ",ts:1714000000" + more + "]\n";
    }
    Ran replay(Args more) const { return session("replay", std::move(more)); }

    const std::string path_ = testing::TempDir() + "accp_replay_log_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name() + ".db";
};

// --to prints what the session printed when it had that record.
TEST_F(CliReplayLog, ARecordAgoItWasAsItWas) {
    std::string expected[12];
    for (int i = 0; i < 12; ++i) {
        if (i == 5) ASSERT_EQ(session("state", {R"({"k":[1]})"}).status, 0);
        else append(i, i + 1);
        const Ran context = session("context");
        ASSERT_EQ(context.status, 0) << context.err;
        host::append_json_string(std::string_view(context.out).substr(0, context.out.size() - 1),
                                 expected[i]);
    }
    for (int i = 0; i < 12; ++i) {
        const Ran run = replay({"--to", std::to_string(i + 1)});
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find(R"({"record":)" + std::to_string(i + 1) + R"(,"kind":")"),
                  std::string::npos);
        EXPECT_NE(run.out.find(",\"context\":" + expected[i] + "}"), std::string::npos)
            << run.out << expected[i];
        EXPECT_NE(
            run.out.find(i < 5 ? R"("version":0,"state":{})" : R"("version":1,"state":{"k":[1]})"),
            std::string::npos)
            << run.out;
    }
    const Ran run = replay({"--to", "13"});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.err, "accp: --to 13: the session has 12 records\n");
}

TEST_F(CliReplayLog, TheFirstDifference) {
    append(0, 9);
    ASSERT_EQ(session("receive", {}, frame("info:x{k:v}", 1)).status, 1);
    ASSERT_EQ(session("receive", {}, frame("req:nonesuch{k:v}", 1)).status, 0);
    ASSERT_EQ(session("state", {R"({"k":1})"}).status, 0);
    EXPECT_EQ(run_accp({"store", "export", "sqlite:" + path_}).status, 0);
    const std::string exported = run_accp({"store", "export", "sqlite:" + path_}).out;
    std::ofstream(path_ + ".jsonl") << exported;

    const struct {
        Args compare;
        int status;
        std::string begins;
    } cases[] = {
        {{"session=default"}, 0, "equal: 11 records\n"},
        {{"export=" + path_ + ".jsonl"}, 0, "equal: 11 records\n"},
        {{"rule=gap_ms=1"}, 0, "equal: 11 records\n"},
        {{"strict=ops"}, 1, "record 10 received: outcome differs\n< OK\n> E5001: "},
        {{"tokenizer=approx"}, 1, "record 1 message: context differs\n< "},
        {{"rules=specification"}, 1, "record 4 message: context differs\n< "},
        {{"session=other"}, 2, ""},
        {{"colour=red"}, 2, ""},
        {{"rule"}, 2, ""},
        {{"rules=mine"}, 2, ""},
    };
    for (const auto &one : cases) {
        Args args;
        for (const std::string &text : one.compare) args.insert(args.end(), {"--compare", text});
        const Ran run = replay(args);
        EXPECT_EQ(run.status, one.status) << one.compare[0] << run.err;
        EXPECT_EQ(run.out.substr(0, one.begins.size()), one.begins) << one.compare[0] << run.out;
        EXPECT_EQ(run.status == 2, run.err != "") << run.err;
    }
    EXPECT_EQ(replay({"--to", "9", "--compare", "strict=ops"}).out, "equal: 9 records\n");

    append(9, 10);  // the store has one record more than the export
    const Ran run = replay({"--compare", "export=" + path_ + ".jsonl"});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out.find("record 12 message: record differs\n< {\"record\":12,"), 0u) << run.out;
    EXPECT_NE(run.out.find("\n> the log has ended\n"), std::string::npos) << run.out;
}

TEST_F(CliReplayLog, WhatDoesNotGoTogetherIsRefused) {
    append(0, 1);
    for (const Args &args : std::vector<Args>{{"--to", "1", "a.jsonl"},
                                              {"--to", "1", "--report"},
                                              {"--chain", "c", "--contexts"},
                                              {"--chain", "c", "--to", "1"},
                                              {"--chain", "c", "--compare", "rule=window=1"},
                                              {"--to", "0"}}) {
        const Ran run = replay(args);
        EXPECT_EQ(run.status, 2) << args[0] << args[2 % args.size()];
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err, "");
    }
}

TEST_F(CliReplayLog, OneChain) {
    append(0, 1);
    const std::string sent = send("c1");
    (void)send("c2");
    ASSERT_EQ(session("receive", {}, frame("done:plan{o:$cold.none}", 3, ",cid:c1")).status, 1);
    ASSERT_EQ(session("receive", {}, frame("done:plan{o:ok}", 4, ",cid:c1")).status, 0);
    const std::string mid = sent.substr(sent.find("mid:") + 4, 12);
    ASSERT_EQ(session("receive", {}, frame("sync:plan{o:ok}", 5, ",aid:" + mid)).status, 0);
    ASSERT_EQ(session("expire", {}, {}, "1714000009000").status, 0);
    (void)send("c3", "req", "1714000009000");
    (void)send("c3", "cancel", "1714000009001");
    ASSERT_EQ(session("receive", {}, frame("sync:plan{o:x}", 8, ",cid:c3")).status, 3);
    const struct {
        const char *cid;
        std::vector<std::string> outcomes;
    } chains[] = {
        {"c1",
         {"answered by record 5: done",
          "refused: its references or the session's state did not match", "applied", "applied"}},
        {"c2", {"not answered in time: E3001 at record 7"}},
        {"c3", {"cancelled by record 9", "sent", "dropped: its chain was cancelled"}}};
    for (const auto &[cid, outcomes] : chains) {
        const Ran run = replay({"--chain", cid});
        EXPECT_EQ(run.status, 0) << run.err;
        std::vector<std::string> found;
        constexpr std::string_view kOutcome = ",\"outcome\":\"";
        for (size_t at = run.out.find(kOutcome); at != std::string::npos;
             at = run.out.find(kOutcome, at + 1)) {
            const size_t from = at + kOutcome.size();
            found.push_back(run.out.substr(from, run.out.find('"', from) - from));
        }
        EXPECT_EQ(found, outcomes) << cid << run.out;
    }
    const Ran run = replay({"--chain", "c4"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("no record belongs to the chain c4"), std::string::npos);
}

TEST_F(CliReplayLog, DeadLettersComeBackWhenTheyAreTaken) {
    EXPECT_EQ(session("receive", {"--from", "you"}, frame("info:x{k:v}", 1)).status, 1);
    EXPECT_EQ(session("receive", {"--untrusted"}, "@you>x{\xFF\n").status, 1);
    EXPECT_EQ(session("receive", {"--from", "me"}, frame("req:x{k:v}", 1)).status, 1);
    // This frame is held, and refused when its turn comes.
    EXPECT_EQ(session("receive", {"--strict", "ops"},
                      frame("req:nonesuch{k:v}", 2) + frame("req:plan{k:v}", 1))
                  .status,
              4);
    const std::string first =
        R"({"direction":"in","mid":"a00000000001","code":"E1002","message":"an intent that is none )"
        R"(of the twelve: req done fail wait esc comp sync qry ack cancel stream end","time_ms":1714000000000,"from":"you","untrusted":false,"frame":"@you>info:x)"
        R"({k:v}[mid:a00000000001,seq:1,ts:1714000000]"})";
    Ran run = session("dead");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out.substr(0, first.size()), first);
    for (const char *part :
         {R"("untrusted":true,"frame_hex":"40796f753e787bff"})",
          R"("code":"E5001","message":"the host does not allow)",
          R"("mid":"a00000000002","code":"E5001","message":"the operation is not registered)",
          R"("frame":"@you>req:nonesuch{k:v}[mid:a00000000002)"})
        EXPECT_NE(run.out.find(part), std::string::npos) << part << run.out;

    run = session("dead", {"--requeue", "a00000000009"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("no dead letter has the mid a00000000009"), std::string::npos);
    const std::string before = session("dead").out;
    run = session("dead", {"--requeue", "a00000000001"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("accp: a00000000001: E1002: "), std::string::npos) << run.err;
    EXPECT_EQ(session("dead").out, before) << "what is refused again stays, once";
}

TEST_F(CliReplayLog, WhatIsRequeuedIsDeliveredAndSent) {
    EXPECT_EQ(session("receive", {"--rule", "future_ms=0"},
                      "@you>req:plan{k:v}[mid:a00000000001,seq:1,ts:1714000100]\n")
                  .status,
              1);
    Ran run = session("dead", {"--requeue", "all"}, {}, "1714000100000");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find(R"([{"seq":1,"message":{"agent":"you")"), std::string::npos) << run.out;
    EXPECT_EQ(session("dead").out, "");

    const std::string sent = send("c1", "req", "1714000100000");
    const std::string mid = sent.substr(sent.find("mid:") + 4, 12);
    EXPECT_EQ(session("expire", {}, {}, "1714000109000").status, 0);
    run = session("dead");
    EXPECT_NE(
        run.out.find(R"({"direction":"out","record":2,"mid":")" + mid +
                     R"(","code":"E3001","message":"not answered in time: E3001 at record 3")"),
        std::string::npos)
        << run.out;
    run = session("dead", {"--requeue", mid, "--rule", "deadline_ms=1000"}, {}, "1714000110000");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out.find("@me>req:plan{t:1}[mid:"), 0u) << run.out;
    EXPECT_EQ(session("dead").out, "");
}

// Keeps the newest letters that fit, and counts the others.
TEST_F(CliReplayLog, DeadLettersAreBounded) {
    std::string frames;
    for (int i = 0; i < 70; ++i) frames += "@you>info:x{n:" + std::to_string(i) + "}\n";
    EXPECT_EQ(session("receive", {}, frames).status, 1);
    Ran run = session("dead");
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 64);
    EXPECT_EQ(run.err, "accp: older dead letters dropped for lack of room: 6\n");
    EXPECT_EQ(run.out.find("{n:5}"), std::string::npos);
    EXPECT_NE(run.out.find("{n:69}"), std::string::npos);
    EXPECT_EQ(session("receive", {}, "@you>info:x{n:" + std::string(60000, '1') + "}\n").status, 1);
    EXPECT_EQ(session("put", {"ctx.dead_letters", "7"}).status, 0);
    run = session("dead");
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("$ctx.dead_letters is not a list"), std::string::npos) << run.err;
}

}  // namespace
