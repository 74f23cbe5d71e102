// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Contexts have fewer tokens than the history, and what the next message needs. The thresholds are
// what was reached, a little below. The engine saves price, not tokens: a short history stays
// whole.
#include <gtest/gtest.h>

#include "context/history.h"

namespace {

using namespace accp_context;

Figures replay_all(const std::vector<std::string> &paths) {
    Figures all;
    for (const std::string &path : paths) all += replay(counting(), read_lines(path));
    std::printf("%zu sessions: %.2f %% of %llu tokens, names %llu of %llu, phrases %llu of %llu\n",
                paths.size(), 100 * all.tokens_share(),
                static_cast<unsigned long long>(all.history_tokens),
                static_cast<unsigned long long>(all.recall.names_present),
                static_cast<unsigned long long>(all.recall.names),
                static_cast<unsigned long long>(all.recall.phrases_present),
                static_cast<unsigned long long>(all.recall.phrases));
    EXPECT_EQ(all.longer, 0u)
        << "a context is never longer than the history that it is in place of";
    EXPECT_EQ(all.miscounted, 0u);
    return all;
}

TEST(ContextRecall, Examples) {
    Figures all = replay_all(trajectories("data/examples/trajectories"));
    EXPECT_LE(all.tokens_share(), 0.91);
    EXPECT_GE(all.recall.names_share(), 0.99);
    EXPECT_GE(all.recall.phrases_share(), 0.99);
}

TEST(ContextRecall, TheTenOthers) {
    Figures all = replay_all(
        {"data/examples/trajectories/forensics-flash.jsonl",
         "data/examples/trajectories/marshmallow-1867.jsonl",
         "data/examples/trajectories/test-repo-1.jsonl", "data/trajectories/babyencryption.jsonl",
         "data/trajectories/babytimecapsule.jsonl", "data/trajectories/eps.jsonl",
         "data/trajectories/humanevalfix-python-0.jsonl",
         "data/trajectories/marshmallow-1867-cursors.jsonl", "data/trajectories/networking-1.jsonl",
         "data/trajectories/warmup.jsonl"});
    EXPECT_LE(all.tokens_share(), 0.87);
    EXPECT_GE(all.recall.names_share(), 0.99);
    EXPECT_GE(all.recall.phrases_share(), 0.99);
}

// One session of ten tasks, one after another: ten times as long as a session of one. What each
// task begins with is nearly the same, and stays whole.
TEST(ContextRecall, TenTimesAsLong) {
    std::vector<std::string> lines;
    for (const std::string &path : trajectories("data/trajectories"))
        for (const std::string &line : read_lines(path)) lines.push_back(line);
    Figures all = replay(counting(), lines);
    EXPECT_EQ(all.longer, 0u);
    EXPECT_LE(all.tokens_share(), 0.78);
    EXPECT_GE(all.recall.names_share(), 0.98);
    EXPECT_GE(all.recall.phrases_share(), 0.95);
    EXPECT_LE(all.max_tokens, 60000u);
}

TEST(Recall, CountsWhatWasThereBefore) {
    Recall recall;
    recall.add({"open src/main.cc at TimeDelta, then go on with the work as planned"});
    RecallCount count =
        recall.need({"src/main.cc and TimeDelta but not new_name; go on with the work as planned"},
                    "here is src/main.cc alone");
    EXPECT_EQ(count.names, 2u);
    EXPECT_EQ(count.names_present, 1u);
    EXPECT_EQ(count.phrases, 2u);  // of seven words
    EXPECT_EQ(count.phrases_present, 0u);
    cli::UsedItems items;
    items.add("a.b abcd Abcd aBcd 12345 x1y2 -opt.. /bin/sh.");
    EXPECT_EQ(items.names.size(), 3u);
}

}  // namespace
