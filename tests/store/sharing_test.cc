// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One store among threads, and one file among processes.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "store/stores.h"

using namespace store_tests;

namespace {

class StoreSharing : public testing::TestWithParam<const char *> {
protected:
    Directory directory_;
    std::string name() const { return directory_.place_of(GetParam()); }
};

TEST_P(StoreSharing, SixtyFourSessionsOnSixteenThreads) {
    store::StorePlace place;
    place.durability = store::Durability::kNormal;
    Opened store(name(), place);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t)
        threads.emplace_back([&, t] {
            for (int s = 0; s < 4; ++s) {
                std::string id = std::to_string(t) + "/" + std::to_string(s), expected;
                Open session(store, id);
                for (int i = 1; i <= 100; ++i) {
                    wrong += session.append(id, id + std::to_string(i)) != ACCP_OK;
                    wrong +=
                        session.put(store::Tier::kCold, "k", id + std::to_string(i)) != ACCP_OK;
                    if (i % 20 == 0) wrong += !session->sync().ok();
                    wrong += session.blob(store::Tier::kCold, "k") != id + std::to_string(i);
                    wrong += !session.has_mid(id + "1");
                    expected += (i > 1 ? " " : "") + std::to_string(i) + ":" + id;
                }
                wrong += session.records() != expected;
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(store.damage(), "");
}

// All threads repeatedly open one session in write mode. Each record must be from the newest writer
// at that time.
TEST_P(StoreSharing, ManyWritersOfOneSession) {
    store::StorePlace place;
    place.durability = store::Durability::kNormal;
    Opened store(name(), place);
    std::atomic<int> kept{0}, wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                Open session(store, "s");
                accp_status status = session.append("x");
                if (status == ACCP_OK) status = session->sync().code;
                kept += status == ACCP_OK;
                wrong += status != ACCP_OK && status != ACCP_ERR_CLOSED;
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(Open(store, "s", false)->row().last, static_cast<uint64_t>(kept.load()));
    EXPECT_GT(kept.load(), 0);
}

// Sessions are opened, written and closed while other threads sync the store. Each committed record
// must be there, whichever thread wrote it to the device.
TEST_P(StoreSharing, SessionsComeAndGoWhileTheStoreIsSynced) {
    store::StorePlace place;
    place.durability = store::Durability::kNormal;
    constexpr int kThreads = 4, kRounds = 60;
    Opened store(name(), place);
    std::atomic<int> wrong{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < kRounds; ++i) {
                Open session(store, "s" + std::to_string(t) + "/" + std::to_string(i % 7));
                wrong += session.append("x", std::to_string(i)) != ACCP_OK;
                if (i % 3 == 0) wrong += !session->sync().ok();
            }
        });
    std::thread syncs([&] {
        while (!done) wrong += !store->sync().ok();
    });
    for (std::thread &thread : threads) thread.join();
    done = true;
    syncs.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_TRUE(store->sync().ok());
    store::StoreStats stats;
    EXPECT_TRUE(store->stats(stats).ok());
    EXPECT_EQ(stats.records, uint64_t{kThreads} * kRounds);
    EXPECT_EQ(store.damage(), "");
}

INSTANTIATE_TEST_SUITE_P(Backends, StoreSharing, testing::Values(ACCP_STORE_KINDS),
                         [](const auto &it) { return std::string(it.param); });

// Runs `work` in a process of its own, whose exit status is its result.
template <class Work>
pid_t start(Work work) {
    pid_t child = fork();
    if (child == 0) _exit(work());
    return child;
}
int answer(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StoreProcesses, FourWriteToOneFile) {
    Directory directory;
    store::StorePlace place;
    place.durability = store::Durability::kNormal;
    std::vector<pid_t> children;
    for (int c = 0; c < 4; ++c)
        children.push_back(start([&] {
            Opened store(directory.place(), place);
            if (store.status != ACCP_OK) return 1;
            Open session(store, std::to_string(c));
            if (session.status != ACCP_OK) return 2;
            for (int i = 0; i < 200; ++i)
                if (session.append("of " + std::to_string(c)) != ACCP_OK || !session->sync().ok())
                    return 3;
            return 0;
        }));
    for (pid_t child : children) EXPECT_EQ(answer(child), 0);
    Opened store(directory.place());
    for (int c = 0; c < 4; ++c) {
        Open session(store, std::to_string(c), false);
        EXPECT_EQ(session->row().last, 200u);
        EXPECT_EQ(session.records(200), "200:of " + std::to_string(c));
    }
    EXPECT_EQ(store.damage(), "");
}

// Eight processes create the same new file. One succeeds, and the others open its file.
TEST(StoreProcesses, EightMakeOneFile) {
    for (int round = 0; round < 20; ++round) {
        Directory directory;
        std::vector<pid_t> children;
        for (int c = 0; c < 8; ++c)
            children.push_back(
                start([&] { return Opened(directory.place()).status == ACCP_OK ? 0 : 1; }));
        for (pid_t child : children) EXPECT_EQ(answer(child), 0);
        EXPECT_EQ(Opened(directory.place()).damage(), "");
    }
}

TEST(StoreProcesses, AWriterIsFencedOffFromAnotherProcess) {
    Directory directory;
    pid_t child = start([&] {
        Opened store(directory.place());
        Open session(store, "s");
        if (session.append("first") != ACCP_OK || !session->sync().ok()) return 1;
        pid_t other = start([&] {
            Opened store(directory.place());
            Open session(store, "s");
            if (session.append("second") != ACCP_OK) return 1;
            return session->sync().ok() ? 0 : 2;
        });
        if (answer(other) != 0) return 2;
        if (session.append("lost") != ACCP_OK) return 3;  // not yet noticed
        return session->sync().code == ACCP_ERR_CLOSED && session.append("lost") == ACCP_ERR_CLOSED
                   ? 0
                   : 4;
    });
    EXPECT_EQ(answer(child), 0);
    Opened store(directory.place());
    EXPECT_EQ(Open(store, "s", false).records(), "1:first 2:second");
}

// A call that waits too long fails, but the committed data is not lost.
TEST(StoreProcesses, AnotherProcessKeepsTheFile) {
    Directory directory;
    { Opened made(directory.place()); }
    int ready[2], done[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(done), 0);
    pid_t child = start([&] {
        sqlite3 *db = nullptr;
        char byte = 0;
        if (read(done[0], &byte, 1) != 1) return 5;
        if (sqlite3_open(directory.file().c_str(), &db) != SQLITE_OK) return 1;
        if (sqlite3_exec(db, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK) return 2;
        if (write(ready[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1) return 3;
        return sqlite3_close(db) == SQLITE_OK ? 0 : 4;
    });
    store::StorePlace place;
    place.busy_ms = 20;
    Opened store(directory.place(), place);
    Open session(store, "s");
    ASSERT_EQ(session.status, ACCP_OK);
    ASSERT_EQ(session.append("x"), ACCP_OK);
    char byte = 0;
    ASSERT_EQ(write(done[1], &byte, 1), 1);
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_EQ(session->sync().code, ACCP_ERR_BUSY);
    ASSERT_EQ(write(done[1], &byte, 1), 1);
    EXPECT_EQ(answer(child), 0);
    EXPECT_EQ(session->sync().code, ACCP_OK);
    EXPECT_EQ(session.records(), "1:x");
}

}  // namespace
