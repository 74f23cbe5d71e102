// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Threads that sync at the same time wait for the device together: how many syncs they share, how
// each is notified of a failure, and what other threads can do meanwhile.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#include "store/gate.h"
#include "store/sqlite_setup.h"
#include "store/stores.h"

using namespace store_tests;

namespace {

constexpr int kThreads = 16;
constexpr auto kPatience = std::chrono::minutes(2);

store::StorePlace at_gate() {
    static const store::SqliteSetup setup = {Gate::kName};
    store::StorePlace place;
    place.sqlite = &setup;
    return place;
}

// Returns whether a thread of this process waits, for example for a lock.
bool is_asleep(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string text;
    std::getline(file, text);
    const size_t name_end = text.rfind(')');
    return name_end != text.npos && text.compare(name_end, 3, ") S") == 0;
}

class StoreGroup : public testing::Test {
protected:
    StoreGroup() : store_(directory_.place(), at_gate()), first_(store_, "first") {
        EXPECT_EQ(first_.append("1"), ACCP_OK);
        EXPECT_TRUE(first_->sync().ok());
        for (int i = 0; i < kThreads; ++i)
            others_.push_back(std::make_unique<Open>(store_, "s" + std::to_string(i)));
        for (auto &other : others_) EXPECT_EQ(other->append("1"), ACCP_OK);
        EXPECT_TRUE(store_->sync().ok());
        gate_.syncs = 0;
    }

    // Makes "first" wait for the device. Returns the result of its sync.
    std::future<accp_status> stop_first() {
        EXPECT_EQ(first_.append("2"), ACCP_OK);
        gate_.close();
        auto waits = std::async(std::launch::async, [this] { return first_->sync().code; });
        EXPECT_TRUE(gate_.has_guest());
        return waits;
    }
    // The others each append and sync in a thread of their own. Returns when all have appended and
    // wait.
    std::vector<std::future<Status>> start_others() {
        std::vector<std::future<Status>> all;
        count_ = 0;
        for (auto &other : others_)
            all.push_back(std::async(std::launch::async, [&other, this] {
                const accp_status status = other->append("2");
                threads_[count_++] = gettid();
                return status == ACCP_OK ? (*other)->sync() : fail(status, 0, "an append");
            }));
        wait_for_all("a commit waits for the device");
        return all;
    }
    // Waits until all threads have come and were seen asleep a few times in a row.
    void wait_for_all(const char *otherwise) {
        int seen = 0;
        for (int i = 0; i < 12000 && seen < 5; ++i, usleep(10000)) {
            bool all_wait = count_ == kThreads;
            for (const std::atomic<pid_t> &thread : threads_)
                all_wait = all_wait && is_asleep(thread);
            seen = all_wait ? seen + 1 : 0;
        }
        EXPECT_EQ(seen, 5) << otherwise;
    }
    void expect_records(const std::string &expected) {
        for (auto &other : others_) EXPECT_EQ(other->records(), expected);
    }

    Directory directory_;
    Gate gate_;
    Opened store_;
    Open first_;
    std::vector<std::unique_ptr<Open>> others_;
    std::atomic<int> count_{0};  // of threads that came
    std::atomic<pid_t> threads_[kThreads] = {};
};

TEST_F(StoreGroup, ThreadsThatCommitMeanwhileAreInTheNextSync) {
    auto first = stop_first();
    auto others = start_others();
    gate_.open();
    EXPECT_EQ(first.get(), ACCP_OK);
    for (auto &other : others) EXPECT_TRUE(other.get().ok());
    EXPECT_LE(gate_.syncs, 4) << "of " << kThreads + 1;
    expect_records("1:1 2:2");
    EXPECT_EQ(store_.damage(), "");
}

// The same for commits that are made durable at once, as in a registry of agents.
TEST_F(StoreGroup, CommitsThatAreDurableAtOnceShareASyncToo) {
    auto first = stop_first();
    std::vector<std::future<accp_status>> all;
    for (auto &other : others_)
        all.push_back(std::async(std::launch::async, [&other, this] {
            Memory memory(private_allocator(), UINT64_MAX);
            store::StoreBatch batch(memory);
            batch.append("2");
            threads_[count_++] = gettid();
            return (*other)->commit_now(batch).code;
        }));
    wait_for_all("a thread does not wait");
    gate_.open();
    EXPECT_EQ(first.get(), ACCP_OK);
    for (auto &one : all) EXPECT_EQ(one.get(), ACCP_OK);
    EXPECT_LE(gate_.syncs, kThreads / 2);
    expect_records("1:1 2:2");
    EXPECT_EQ(store_.damage(), "");
}

TEST_F(StoreGroup, OthersReadAndCommitWhileOneWaits) {
    auto first = stop_first();
    auto works = std::async(std::launch::async, [this] {
        Open &mine = *others_[0];
        std::string done = mine.records();
        done += mine.append("2", "mid") == ACCP_OK && mine.has_mid("mid") ? " committed" : "";
        done += mine.put(store::Tier::kWarm, "k", "v") == ACCP_OK ? " put " : "";
        done += mine.blob(store::Tier::kWarm, "k");
        return done + (mine->check().ok() ? " mine" : "");
    });
    EXPECT_EQ(works.wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(first.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    gate_.open();
    EXPECT_EQ(works.get(), "1:1 committed put v mine");
    EXPECT_EQ(first.get(), ACCP_OK);
}

// A call that writes by itself waits for the sync before it, and later syncs do not skip its
// session.
TEST_F(StoreGroup, WhatWritesByItselfWaitsAndGoesOn) {
    using Work = std::function<accp_status()>;
    Memory memory(private_allocator(), UINT64_MAX);
    store::StoreBatch batch(memory);
    batch.append("2");
    uint64_t pruned = 0;
    const Work works[] = {[&] { return Open(store_, "new").status; },
                          [&] { return (*others_[1])->commit_now(batch).code; },
                          [&] {
                              return store_->prune({1, 1}, pruned).code;
                          },
                          [&] { return store_->erase_session("s2").code; },
                          [&] { return store_->sync().code; }};
    for (const Work &work : works) {
        auto first = stop_first();
        auto waits = std::async(std::launch::async, work);
        EXPECT_EQ(waits.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
        std::atomic<bool> stop{false};
        std::thread busy([&] {
            while (!stop) {
                others_[0]->append("x");
                (void)(*others_[0])->sync();
            }
        });
        gate_.open();
        EXPECT_EQ(waits.wait_for(kPatience), std::future_status::ready);
        stop = true;
        busy.join();
        EXPECT_EQ(waits.get(), ACCP_OK);
        EXPECT_EQ(first.get(), ACCP_OK);
    }
    EXPECT_EQ(others_[1]->records(), "1:1 2:2");
    EXPECT_EQ(store_.damage(), "");
}

TEST_F(StoreGroup, AFailedSyncIsToldToAllThatNeedItAndToNobodyElse) {
    Open idle(store_, "idle");
    ASSERT_EQ(idle.append("1"), ACCP_OK);
    ASSERT_TRUE(idle->sync().ok());
    gate_.syncs = 0;
    auto first = stop_first();
    auto others = start_others();
    gate_.fails_syncs = true;
    gate_.open();
    EXPECT_EQ(first.get(), ACCP_ERR_IO);
    for (auto &other : others) EXPECT_EQ(other.get().code, ACCP_ERR_IO);
    EXPECT_EQ(gate_.syncs, 1) << "the device was written to again after it had failed";
    EXPECT_TRUE(idle->sync().ok());  // its data was durable before
    gate_.fails_syncs = false;
    EXPECT_EQ(first_->sync().code, ACCP_ERR_IO);
    EXPECT_EQ(store_->sync().code, ACCP_ERR_IO);
    EXPECT_EQ(idle.records(), "1:1");  // reading still works
}

TEST_F(StoreGroup, AFullDiskIsToldToAllAndLosesNothing) {
    auto first = stop_first();
    auto others = start_others();
    gate_.is_full = true;
    gate_.open();
    EXPECT_EQ(first.get(), ACCP_OK);  // its data was written before
    for (auto &other : others) EXPECT_STREQ(other.get().message, "the disk is full");
    EXPECT_EQ(gate_.syncs, 1);
    gate_.is_full = false;
    for (auto &other : others_) EXPECT_TRUE((*other)->sync().ok());
    expect_records("1:1 2:2");
    EXPECT_LE(gate_.syncs, 2);
    EXPECT_EQ(store_.damage(), "");
}

// A commit that came too late for the failed sync is tried again separately.
TEST_F(StoreGroup, ALaterCallTriesAnew) {
    gate_.is_full = true;
    ASSERT_EQ(first_.append("2"), ACCP_OK);
    EXPECT_EQ(first_->sync().code, ACCP_ERR_IO);
    EXPECT_EQ(first_->sync().code, ACCP_ERR_IO);
    gate_.is_full = false;
    EXPECT_EQ(first_->sync().code, ACCP_OK);
    EXPECT_EQ(first_.records(), "1:1 2:2");
}

TEST_F(StoreGroup, ASessionThatWasTakenOverIsToldByTheSharedSync) {
    auto first = stop_first();
    auto others = start_others();
    auto takes = std::async(std::launch::async, [this] {
        Open newer(store_, "s3");
        return newer.append("newer") == ACCP_OK ? newer->sync().code : ACCP_ERR_ARG;
    });
    gate_.open();
    EXPECT_EQ(first.get(), ACCP_OK);
    EXPECT_EQ(takes.get(), ACCP_OK);
    for (auto &other : others) EXPECT_TRUE(other.get().ok());  // their data was written before
    EXPECT_EQ(others_[3]->append("late"), ACCP_OK);
    EXPECT_EQ((*others_[3])->sync().code, ACCP_ERR_CLOSED);
    EXPECT_EQ((*others_[4])->sync().code, ACCP_OK);
    EXPECT_EQ(Open(store_, "s3", false).records(), "1:1 2:2 3:newer");
}

// Threads in a process that is killed: everything that a thread reported as stored is there.
TEST(StoreGroupKill, WhatEachThreadWasToldIsThere) {
    const char *wanted = std::getenv("ACCP_KILLS");
    const int kills = wanted ? std::atoi(wanted) / 10 : ACCP_SANITIZED ? 5 : 20;
    struct Said {
        int32_t thread, record;
    };
    for (int turn = 0; turn < kills; ++turn) {
        Directory directory;
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            Opened store(directory.place());
            std::vector<std::thread> threads;
            for (int t = 0; t < kThreads; ++t)
                threads.emplace_back([&, t] {
                    Open session(store, std::to_string(t));
                    for (int32_t i = 1;; ++i) {
                        const Said said = {t, i};
                        if (session.append("r" + std::to_string(i)) != ACCP_OK ||
                            !session->sync().ok() ||
                            write(ends[1], &said, sizeof said) != sizeof said)
                            _exit(1);
                    }
                });
            for (std::thread &thread : threads) thread.join();
        }
        close(ends[1]);
        std::vector<int> told(kThreads);
        Said said;
        ASSERT_EQ(read(ends[0], &said, sizeof said), static_cast<ssize_t>(sizeof said));
        told[said.thread] = said.record;
        usleep(2000 + turn % 10 * 5000);
        kill(child, SIGKILL);
        while (read(ends[0], &said, sizeof said) == sizeof said) told[said.thread] = said.record;
        close(ends[0]);
        waitpid(child, nullptr, 0);
        Opened store(directory.place());
        for (int t = 0; t < kThreads; ++t)
            if (told[t]) {
                Open session(store, std::to_string(t), false);
                ASSERT_GE(session->row().last, static_cast<uint64_t>(told[t])) << turn;
                EXPECT_EQ(session.records(told[t], told[t]),
                          std::to_string(told[t]) + ":r" + std::to_string(told[t]));
            }
        ASSERT_EQ(store.damage(), "");
    }
}

// Runs all operations at the same time. Each sync waits for the device.
TEST(StoreGroupThreads, WorkOnOneFile) {
    constexpr int kRounds = ACCP_SANITIZED ? 15 : 40;
    Directory directory;
    Opened store(directory.place());
    std::atomic<int> wrong{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            const std::string id = "s" + std::to_string(t);
            Open session(store, id);
            std::string expected;
            for (int i = 1; i <= kRounds; ++i) {
                wrong += session.append(id, id + std::to_string(i)) != ACCP_OK;
                if (i % 3) wrong += !session->sync().ok();
                wrong += session.put(store::Tier::kCold, "k", id, 0, static_cast<uint64_t>(i)) !=
                         ACCP_OK;
                wrong += session.blob(store::Tier::kCold, "k") != id;
                wrong += !session.has_mid(id + "1");
                expected += (i > 1 ? " " : "") + std::to_string(i) + ":" + id;
                if (i % 5 == 0) wrong += session.records() != expected;
            }
            wrong += !session->sync().ok();
        });
    std::thread others([&] {
        for (int i = 0; !done; ++i) {
            {
                Open passing(store, "passing" + std::to_string(i % 3));
                wrong += passing.append("x") != ACCP_OK || !passing->sync().ok();
            }
            uint64_t pruned = 0;
            wrong += !store->prune({1, 2}, pruned).ok();
            if (i % 3 == 2) wrong += !store->erase_session("passing2").ok();
        }
    });
    for (std::thread &thread : threads) thread.join();
    done = true;
    others.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(store.damage(), "");
}

}  // namespace
