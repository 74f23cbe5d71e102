// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Statistics of tasks over made-up numbers: no files, no store.
#include "packet/panes/statistics.h"

#include <gtest/gtest.h>

#include "accp/packet.h"
#include "packet/panes/print.h"
#include "unit.h"

namespace {

using namespace accp::packet;
using accp::Share;

// From tables of the 95 % interval: count, total and the limits to four places.
TEST(Tally, Wilson) {
    struct Row {
        uint64_t count, all;
        double low, high;
    };
    for (const Row &row : {Row{0, 0, 0, 1}, Row{0, 10, 0, 0.2775}, Row{10, 10, 0.7225, 1},
                           Row{5, 10, 0.2366, 0.7634}, Row{1, 1, 0.2065, 1},
                           Row{87, 100, 0.7902, 0.9224}, Row{5, 5, 0.5655, 1}}) {
        const Share share = {row.count, row.all};
        EXPECT_NEAR(share.low(), row.low, 0.00006) << row.count << " of " << row.all;
        EXPECT_NEAR(share.high(), row.high, 0.00006) << row.count << " of " << row.all;
    }
}

class Learning : public testing::Test {
protected:
    void add(int times, bool success, uint64_t tokens, const char *gaps = "",
             const char *unused = "", const char *kind = "auth", int32_t depth = 1) {
        TaskOutcome task;
        task.kind = kind;
        task.success = success;
        task.context_tokens = tokens;
        task.gaps = gaps;
        task.unused = unused;
        task.depth = depth;
        for (int i = 0; i < times; ++i) statistics_.add(task);
    }
    std::string text() {
        accp::Buffer<char> out(room_.memory);
        print_stats(statistics_, out);
        return accp_unit::text_of(out);
    }
    std::string advice(int32_t standard = ACCP_PACKET_STANDARD) {
        accp::Buffer<char> out(room_.memory);
        print_advice(advise_depth(statistics_.all(), standard), out);
        return accp_unit::text_of(out);
    }

    accp_unit::Room room_;
    TaskStatistics statistics_{room_.memory};
};

// The proposal's three lines: 100 tasks, 87 of them successful, 23 and 18 with such a gap.
TEST_F(Learning, TheProposalsOutput) {
    add(23, true, 380, "Needed: testing approach (unit vs integration)\n", "", "");
    add(18, true, 380, "Needed: existing error handling patterns\n", "", "");
    add(46, true, 380, "", "", "");
    add(13, false, 380, "", "", "");
    EXPECT_EQ(text(),
              "Average context size: 380 tokens\nWorker success rate: 87%\n"
              "Top context gaps: testing approach (23%), error handling (18%)\n");
}

TEST_F(Learning, FewTasksAreNoEvidence) {
    EXPECT_EQ(text(),
              "Average context size: not known\nWorker success rate: no tasks yet\n"
              "Top context gaps: none\n");
    add(2, true, 300);
    EXPECT_EQ(text(),
              "Average context size: 300 tokens\n"
              "Worker success rate: 100% (2 tasks: too few to tell)\nTop context gaps: none\n"
              "Kind auth: 2 tasks, 300 tokens, success 100% (2 tasks: too few to tell)\n");
    EXPECT_EQ(viable_tokens(statistics_.all()), 0u);
    EXPECT_EQ(advice(), "standard: the default: too few tasks of this kind (0 of 2)");
}

TEST_F(Learning, TheSmallestSizeThatIsEnough) {
    add(8, false, 90);
    add(4, true, 180);
    EXPECT_EQ(viable_tokens(statistics_.all()), 0u) << "four of four is too few";
    add(1, true, 180);
    EXPECT_EQ(viable_tokens(statistics_.all()), 200u);
    add(3, false, 150);
    EXPECT_EQ(viable_tokens(statistics_.all()), 0u) << "five of eight may be chance";
    add(20, true, 350);
    EXPECT_EQ(viable_tokens(statistics_.all()), 400u);
}

TEST_F(Learning, GapsThatGoWithFailure) {
    const int testing = gap_kind("tests", room_.memory);
    add(4, false, 300, "which tests\n");
    add(30, true, 300);
    EXPECT_EQ(gap_effect(statistics_.all(), testing), GapEffect::kTooFew);
    add(4, false, 300, "which tests\n");
    EXPECT_EQ(gap_effect(statistics_.all(), testing), GapEffect::kMoreFailures);
    EXPECT_NE(text().find("Fails more often without testing approach: 8 of 8 (67-100%), else 0 of "
                          "30 (0-12%)\n"),
              std::string::npos)
        << text();
    add(30, true, 300, "which tests\n");
    EXPECT_EQ(gap_effect(statistics_.all(), testing), GapEffect::kNone) << "8 of 38, else 0 of 30";
}

TEST_F(Learning, WhatIsUsuallyUnused) {
    add(5, true, 300, "", "failed_attempts\n");
    add(5, true, 300);
    EXPECT_EQ(text().find("Usually unused"), std::string::npos) << "half may be chance";
    add(15, true, 300, "", "Received: failed_attempts (didn't reference)\nexamples\n");
    EXPECT_NE(text().find("Usually unused: failed_attempts (80%)\n"), std::string::npos) << text();
}

// Two items of a kind in one task count as one task with that gap.
TEST_F(Learning, ATaskCountsOnce) {
    add(10, true, 300, "which tests\nhow to mock\n");
    EXPECT_NE(text().find("testing approach (100%)"), std::string::npos);
    EXPECT_EQ(statistics_.newest_gap(gap_kind("tests", room_.memory)), "how to mock");
}

TEST_F(Learning, Saved) {
    TaskOutcome task;
    task.success = true;
    task.context_tokens = 350;
    task.whole_tokens = 1800;
    for (int i = 0; i < 4; ++i) statistics_.add(task);
    EXPECT_EQ(text().find("Tokens saved"), std::string::npos) << "too few";
    task.context_tokens = 0;
    statistics_.add(task);
    EXPECT_EQ(text().find("Tokens saved"), std::string::npos) << "one is of unknown size";
    task.context_tokens = 350;
    statistics_.add(task);
    EXPECT_NE(text().find("Tokens saved: 7250 (80%)\n"), std::string::npos) << text();
}

// A task with an unknown packet size is in no size class.
TEST_F(Learning, UnknownSizes) {
    add(10, true, 0);
    EXPECT_EQ(text(),
              "Average context size: not known\nWorker success rate: 100%\n"
              "Top context gaps: none\nKind auth: 10 tasks, success 100% (72-100%)\n");
    EXPECT_EQ(viable_tokens(statistics_.all()), 0u);
    add(1, true, 300);
    EXPECT_EQ(statistics_.all().average_tokens(), 300u);
    accp::Buffer<char> json(room_.memory);
    print_stats_json(statistics_, nullptr, nullptr, room_.memory, json);
    EXPECT_NE(
        accp_unit::text_of(json).find(R"("sizes":[{"up_to_tokens":400,"success":{"count":1,)"),
        std::string::npos);
}

// A worker without a packet does not count as one that did not read it.
TEST_F(Learning, PacketsToRead) {
    TaskOutcome task;
    task.pane = 1;
    statistics_.add_receipt(1);
    task.context_tokens = 300;
    statistics_.add(task);
    statistics_.add(task);
    task.context_tokens = 0;
    statistics_.add(task);
    EXPECT_EQ(statistics_.read().count, 1u);
    EXPECT_EQ(statistics_.read().all, 2u);
}

struct AdviceCase {
    const char *name;
    int done, failed;
    const char *gaps;
    const char *unused;
    int32_t depth, standard;
    const char *says;
};
constexpr AdviceCase kAdvice[] = {
    {"all is well", 10, 0, "", "", 1, 1,
     "standard: the default: no evidence against it (10 of 10 succeeded)"},
    {"a gap of a deeper packet", 10, 0, "what was tried before\n", "", 1, 1,
     "deep: a gap that only a deeper packet fills was reported often: failed attempts (10 of 10)"},
    {"deep has it already", 10, 0, "what was tried before\n", "", 2, 2,
     "deep: the default: no evidence against it (10 of 10 succeeded)"},
    {"a gap of a standard packet", 5, 0, "why JWT was chosen\n", "", 0, 0,
     "standard: a gap that only a deeper packet fills was reported often: decisions (5 of 5)"},
    {"failure", 0, 5, "", "", 1, 1,
     "deep: tasks fail more often than not at this depth (0 of 5 succeeded)"},
    {"failure that may be chance", 2, 6, "", "", 1, 1,
     "standard: the default, though most tasks failed: too few for a conclusion (2 of 8 "
     "succeeded)"},
    {"failure that no deeper packet helps", 0, 5, "", "", 2, 2,
     "deep: the default, though tasks fail more often than not (0 of 5 succeeded)"},
    {"half", 4, 4, "", "", 1, 1,
     "standard: the default: no evidence against it (4 of 8 succeeded)"},
    {"less is enough", 12, 0, "", "", 0, 1,
     "minimal: tasks succeed as often with a smaller packet (12 of 12 succeeded)"},
    {"unused", 10, 0, "", "failed_attempts\n", 2, 2,
     "standard: the parts that only a deep packet has are usually unused (10 of 10)"},
};

TEST_F(Learning, DepthAdvice) {
    for (const AdviceCase &each : kAdvice) {
        SCOPED_TRACE(each.name);
        TaskStatistics fresh(room_.memory);
        TaskOutcome task;
        task.gaps = each.gaps;
        task.unused = each.unused;
        task.depth = each.depth;
        for (int i = 0; i < each.done + each.failed; ++i) {
            task.success = i < each.done;
            fresh.add(task);
        }
        accp::Buffer<char> out(room_.memory);
        print_advice(advise_depth(fresh.all(), each.standard), out);
        EXPECT_EQ(accp_unit::text_of(out), each.says);
    }
}

// Further kinds only count in the total; stored texts do not grow without limit.
TEST_F(Learning, IsBounded) {
    const std::string gap(1000, 't');
    for (int i = 0; i < 2000; ++i)
        add(1, true, 100, (gap + " tests\n").c_str(), "", std::to_string(i).c_str());
    EXPECT_EQ(statistics_.all().tasks(), 2000u);
    EXPECT_EQ(statistics_.kinds().size(), kMaxKinds);
    EXPECT_LT(room_.memory.used(), 2u << 20);
    EXPECT_EQ(statistics_.newest_gap(gap_kind("tests", room_.memory)), gap + " tests");
}

}  // namespace
