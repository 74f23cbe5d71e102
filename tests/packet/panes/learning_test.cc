// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Recorded tasks in a store: the statistics, and what remains after all files are removed.
#include "packet/panes/project.h"

namespace {

using namespace accp_panes_test;

class PanesLearning : public Project {
protected:
    PanesLearning() { open(); }
    std::string advise(const std::string &kind) {
        int32_t depth = -1;
        accp_text why = {};
        EXPECT_EQ(accp_panes_advise(panes_.get(), kind.data(), kind.size(), &depth, &why, nullptr),
                  ACCP_OK);
        return std::to_string(depth) + " " + accp_test::string_of(why);
    }
};

// Packet size, feedback and end are taken from the pane's files.
TEST_F(PanesLearning, ATaskOfAPane) {
    ASSERT_EQ(write(1, context_of()), "");
    ASSERT_EQ(write_feedback(1, "which tests to run\n", "failed_attempts\n"), "");
    EXPECT_EQ(record(true, 1), "");
    EXPECT_EQ(stats(),
              "Average context size: 8 tokens\n"
              "Worker success rate: 100% (1 task: too few to tell)\n"
              "Top context gaps: testing approach (100%)\n");
    EXPECT_FALSE(has("context/pane-1.yaml")) << "cleaned up";
    EXPECT_TRUE(has("feedback/pane-1.md"));
    EXPECT_NE(journal().find("packet_file"), std::string::npos);
    EXPECT_EQ(record(true, 1, "No context gaps\n"), "") << "there is no packet any more";
    EXPECT_NE(stats().find("testing approach (50%)"), std::string::npos);
}

// Whether workers read their packets, if they write receipts.
TEST_F(PanesLearning, PacketsThatAreRead) {
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(write(1, context_of()), "");
        if (i != 1) (void)read(1, ACCP_PANES_RECEIPT);
        if (i == 2) (void)read(1, ACCP_PANES_RECEIPT);
        ASSERT_EQ(record(true, 1), "");
    }
    ASSERT_EQ(record(true), "") << "a task of no pane";
    EXPECT_NE(stats().find("Packets read by their worker: 2 of 3\n"), std::string::npos) << stats();
    EXPECT_NE(
        print(accp_panes_print_stats_json, 0).find(R"("receipts":3,"read":{"count":2,"of":3)"),
        std::string::npos);
}

// The texts of a task may be those that the handle returned.
TEST_F(PanesLearning, FeedbackThatIsHandedBack) {
    const std::string first = "which tests " + std::string(900, 'x');
    ASSERT_EQ(write_feedback(1, first + "\nwhy RS256\n", "goal\n"), "");
    accp_pane_task task = {};
    task.size = sizeof task;
    task.pane = task.explored = -1;
    ASSERT_EQ(accp_panes_read_feedback(panes_.get(), 1, &task.gaps, &task.unused, nullptr),
              ACCP_OK);
    ASSERT_EQ(accp_panes_record_task(panes_.get(), &task, nullptr), ACCP_OK);
    EXPECT_NE(stats().find("testing approach (100%), decisions (100%)"), std::string::npos);
    EXPECT_NE(journal().find(first), std::string::npos);
}

// Feedback of the previous worker does not belong to this task.
TEST_F(PanesLearning, FeedbackOfATaskBefore) {
    for (bool old_path : {false, true}) {
        open();
        ASSERT_EQ(write(1, context_of()), "");
        if (old_path) {
            std::filesystem::remove(path("feedback/pane-1.md"));
            put("feedback-1.md", "gaps: [which tests]\n");
        } else {
            ASSERT_EQ(write_feedback(1, "which tests\n"), "");
        }
        ASSERT_EQ(record(true, 1), "");
        ASSERT_EQ(record(true, 1), "") << "no packet any more";
        usleep(20'000);  // the file system's clock may be coarse
        ASSERT_EQ(write(1, context_of()), "");
        ASSERT_EQ(record(true, 1), "");
        EXPECT_NE(stats().find("testing approach (33%)"), std::string::npos) << stats();
    }
}

TEST_F(PanesLearning, SurvivesRemovalAndReopening) {
    open("sqlite:" + directory_ + "/store");
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(write(1, context_of()), "");
        ASSERT_EQ(record(i != 0, 1), "");
    }
    const std::string told = stats();
    EXPECT_EQ(told.substr(0, 31), "Average context size: 8 tokens\n");
    std::filesystem::remove_all(directory_ + "/.agentwire");
    open("sqlite:" + directory_ + "/store");
    EXPECT_EQ(stats(), told);
}

// When tracking is off, nothing is written, and existing records are still counted.
TEST_F(PanesLearning, Off) {
    ASSERT_EQ(record(true), "");
    const std::string before = journal(), told = stats();
    ASSERT_EQ(configure("context: {track_efficiency: false, auto_cleanup: false}"), "");
    ASSERT_EQ(write(1, context_of(), {}, ACCP_PANES_EDITED), "");
    EXPECT_EQ(record(false, 1), "");
    (void)read(1, ACCP_PANES_RECEIPT);
    EXPECT_EQ(journal(), before);
    EXPECT_EQ(stats(), told);
    EXPECT_TRUE(has("context/pane-1.yaml"));
}

TEST_F(PanesLearning, ComparedOverTime) {
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(record(i >= 10, -1, i < 10 ? "the tests\n" : "", i < 10 ? 500 : 300), "");
        if (i < 10) {
            ASSERT_EQ(write(1, context_of(), {}, ACCP_PANES_EDITED), "");
        }
    }
    EXPECT_EQ(stats(1),
              "Tasks: 10 -> 10\n"
              "Worker success rate: 0% (0-28%) -> 100% (72-100%)\n"
              "Average context size: 500 tokens -> 300 tokens\n"
              "Tasks with context gaps: 100% -> 0%\n"
              "Files explored again: not reported\n"
              "Packets edited by hand, of 100 tasks: 90 -> 10\n");
    const std::string json = print(accp_panes_print_stats_json, 1);
    EXPECT_EQ(json.substr(0, 123),
              R"({"tasks":20,"average_tokens":400,"success":{"count":10,"of":20,"percent":50,)"
              R"("low":29,"high":71},"tasks_with_gaps":{"count":)");
    EXPECT_NE(json.find(R"("early":{"tasks":10)"), std::string::npos) << json;
    EXPECT_EQ(print(accp_panes_print_stats_json, 0).find("early"), std::string::npos);
    EXPECT_EQ(print(accp_panes_print_stats, 2), "ERR_ARG: no such way of reading or writing");
}

TEST_F(PanesLearning, DepthAdvice) {
    EXPECT_EQ(advise("auth"), "1 standard: the default: too few tasks of this kind (0 of 0)");
    for (int i = 0; i < 6; ++i) ASSERT_EQ(record(true, -1, "what was tried\n", 300, "auth"), "");
    EXPECT_EQ(advise("auth"),
              "2 deep: a gap that only a deeper packet fills was reported often: failed attempts "
              "(6 of 6)");
    EXPECT_EQ(advise("docs"), "1 standard: the default: too few tasks of this kind (0 of 0)");
    EXPECT_EQ(advise("").substr(0, 6), "2 deep");
}

TEST_F(PanesLearning, WhatIsNoTask) {
    accp_pane_task task = {};
    auto call = [&] {
        accp_error error = {};
        return told(accp_panes_record_task(panes_.get(), &task, &error), error);
    };
    EXPECT_EQ(call(), "ERR_ARG: the task's size is not that of this library");
    task.size = sizeof task;
    task.pane = task.explored = -1;
    task.success = 2;
    EXPECT_EQ(call(), "ERR_ARG: a task has succeeded (1) or failed (0)");
    task.success = 1;
    task.depth = 3;
    EXPECT_EQ(call(), "ERR_ARG: no such depth");
    task.depth = -1;
    task.now_ms = -1;
    EXPECT_EQ(call().substr(0, 7), "ERR_ARG");
    task.now_ms = 0;
    const std::string longest(65, 'k');
    task.kind = {longest.data(), longest.size()};
    EXPECT_EQ(call(), "ERR_ARG: the kind of a task is too long");
    task.kind = {"a\nb", 3};
    EXPECT_EQ(call(), "ERR_ARG: the kind of a task is one line");
    task.kind = {"\xFF", 1};
    EXPECT_EQ(call(), "E1004: not utf-8");
    task.kind = {longest.data(), 64};
    EXPECT_EQ(call(), "");
    EXPECT_EQ(journal().find("receipt"), std::string::npos);
}

// A log that another program wrote under this name is an error.
TEST_F(PanesLearning, AJournalThatIsNone) {
    accp_engine *engine = nullptr;
    ASSERT_EQ(accp_engine_new(accp_test::Config().store(store_.get()).get(), &engine, nullptr),
              ACCP_OK);
    accp_session *session = nullptr;
    ASSERT_EQ(accp_session_open(engine, "agentwire", 9, 0, &session, nullptr), ACCP_OK);
    const std::string message = R"({"agent":"a","intent":"req","operation":"plan","payload":{}})";
    ASSERT_EQ(accp_session_append(session, message.data(), message.size(), kNow, nullptr), ACCP_OK);
    accp_session_close(session);
    accp_engine_free(engine);
    EXPECT_EQ(stats(), "ERR_CORRUPT: a record of the journal is malformed");
}

}  // namespace
