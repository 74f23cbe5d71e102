// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Pruning a store removes old checkpoints of a session, but none that its context still refers to.
#include <filesystem>
#include <string>
#include <vector>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr int kCheckpoints = 30;

// Messages with the intent done and many words: each creates a checkpoint, and a context cannot
// contain all of them.
std::string message(int number) {
    std::string words;
    for (int i = 0; i < 400; ++i)
        words += "word" + std::to_string(number * 7919 + i * 104729) + (i % 9 == 8 ? ". " : " ");
    return R"({"agent":"planner","intent":"done","operation":"step)" + std::to_string(number) +
           R"(","payload":{"out":")" + words + R"("}})";
}

// The numbers of the checkpoints in a context, or of "$warm.ckpt_N" in the text.
std::vector<int> named_in(const std::string &text) {
    std::vector<int> all;
    constexpr std::string_view kName = "$warm.ckpt_";
    for (size_t at = text.find(kName); at != text.npos; at = text.find(kName, at + 1))
        if (const int number = std::atoi(text.c_str() + at + kName.size())) all.push_back(number);
    return all;
}

uint64_t prune(accp_store *store, uint64_t keep) {
    uint64_t pruned = 0;
    EXPECT_EQ(accp_store_prune(store, kNow, keep, &pruned, nullptr), ACCP_OK);
    return pruned;
}

class SessionPrune : public testing::TestWithParam<const char *> {};

TEST_P(SessionPrune, TakesWhatTheContextNamesNoMore) {
    const std::string path = testing::TempDir() + "accp_session_prune";
    for (const char *end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
    const std::string place = std::string(GetParam()) + (*GetParam() == 's' ? path : "");
    const Handle<accp_store> store = open_store(place);
    EngineConfig config{store.get()};
    const Handle<accp_engine> engine = open_engine(config);
    Handle<accp_session> session = open_session(engine.get());
    for (int i = 1; i <= kCheckpoints; ++i) {
        ASSERT_EQ(append(session.get(), message(i)), ACCP_OK);
        ASSERT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
    }
    const int newest = static_cast<int>(accp_session_newest_checkpoint(session.get()));
    ASSERT_GE(newest, kCheckpoints);
    const std::string before = context(session.get());
    EXPECT_EQ(prune(store.get(), 0), 0u);
    EXPECT_GT(prune(store.get(), 3), static_cast<uint64_t>(newest) / 2);
    EXPECT_EQ(prune(store.get(), 3), 0u);
    for (bool reopened : {false, true}) {
        if (reopened) session = nullptr, session = open_session(engine.get());
        EXPECT_EQ(context(session.get()), before);
        EXPECT_EQ(resolve(session.get(), "$warm.ckpt_1"), "E2001");
        for (int number : named_in(before))
            EXPECT_NE(resolve(session.get(), "$warm.ckpt_" + std::to_string(number)), "E2001")
                << number;
        for (int i = newest - 2; i <= newest; ++i)
            EXPECT_NE(resolve(session.get(), "$warm.ckpt_" + std::to_string(i)), "E2001") << i;
    }
    EXPECT_EQ(accp_store_verify(store.get(), nullptr, nullptr, nullptr), ACCP_OK);
}

#if ACCP_SQLITE
INSTANTIATE_TEST_SUITE_P(Stores, SessionPrune, testing::Values("memory:", "sqlite:"));
#else
INSTANTIATE_TEST_SUITE_P(Stores, SessionPrune, testing::Values("memory:"));
#endif

}  // namespace
