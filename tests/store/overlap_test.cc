// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A host's back end that waits: which other calls it delays, and which not.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "store/front.h"

using namespace store_tests;

namespace {

constexpr auto kLong = std::chrono::minutes(2);

// Calls of one function for the session "slow" wait until let_go().
class Slow : public Front {
public:
    std::shared_ptr<void> enter(const char *function, const accp_text &id) override {
        std::unique_lock<std::mutex> held(lock_);
        if (std::string_view(function) != where_) return nullptr;
        if (std::string_view(id.text, id.len) != "slow") return nullptr;
        waits_ = true;
        changed_.notify_all();
        changed_.wait(held, [this] { return where_.empty(); });
        return nullptr;
    }
    void hold(const std::string &function) {
        std::lock_guard<std::mutex> held(lock_);
        where_ = function;
        waits_ = false;
    }
    bool is_waiting() {
        std::unique_lock<std::mutex> held(lock_);
        return changed_.wait_for(held, kLong, [this] { return waits_; });
    }
    void let_go() {
        std::lock_guard<std::mutex> held(lock_);
        where_.clear();
        changed_.notify_all();
    }

private:
    std::mutex lock_;
    std::condition_variable changed_;
    std::string where_;
    bool waits_ = false;
};

const accp_store_backend kSlow = Front::table_of(ACCP_STORE_BACKEND_THREADS);

// A call on the session "slow", and the function of the back end in which it waits.
struct Case {
    const char *name;
    const char *function;
    std::string (*work)(store::Store &store, Open &slow);
    const char *answer;
};

const Case kCases[] = {
    {"Sync", "write",
     [](store::Store &, Open &slow) {
         return std::string(slow.append("2") == ACCP_OK && slow->sync().ok() ? "done" : "failed");
     },
     "done"},
    {"Scan", "records", [](store::Store &, Open &slow) { return slow.records(); }, "1:1"},
    {"Blob", "value", [](store::Store &, Open &slow) { return slow.blob(store::Tier::kWarm, "k"); },
     "E2001"},
    {"Check", "head",
     [](store::Store &, Open &slow) { return std::string(slow->check().ok() ? "mine" : "not"); },
     "mine"},
    {"Open", "head",
     [](store::Store &store, Open &) { return Open(store, "slow", false).records(); }, "1:1"},
    {"Export", "records",
     [](store::Store &store, Open &) {
         Memory memory(private_allocator(), UINT64_MAX);
         Buffer<char> out(memory);
         return std::string(store.export_session("slow", out).ok() ? "done" : "failed");
     },
     "done"},
    {"SyncOfAll", "write",
     [](store::Store &store, Open &slow) {
         return std::string(slow.append("2") == ACCP_OK && store.sync().ok() ? "done" : "failed");
     },
     "done"},
};

class StoreOverlap : public testing::TestWithParam<Case> {
protected:
    StoreOverlap() : store_(Settings()) {
        EXPECT_EQ(slow_.open(directory_.file()), ACCP_OK);
        EXPECT_TRUE(store_.open(kSlow, &slow_, true).ok());
    }
    // All calls that another session can make.
    std::string work_of_another(Open &mine) {
        std::string done = mine.append("x", "mid") == ACCP_OK && mine->sync().ok() ? "synced " : "";
        done += mine.records() + " ";
        done += mine.put(store::Tier::kHot, "k", "v") == ACCP_OK && mine->sync().ok() ? "put " : "";
        done += mine.blob(store::Tier::kHot, "k") + " ";
        done += mine.has_mid("mid") && !mine.has_mid("other") ? "mids " : "";
        Open made(store_, "made");
        done += made.append("y") == ACCP_OK && made->sync().ok() ? "made " : "";
        made.close();
        return done + Open(store_, "made", false).records();
    }

    Directory directory_;
    Slow slow_;
    store::Store store_;
};

TEST_P(StoreOverlap, WhoWaitsHoldsUpNoOtherSession) {
    Open slow(store_, "slow"), mine(store_, "mine");
    ASSERT_EQ(slow.append("1"), ACCP_OK);
    ASSERT_TRUE(store_.sync().ok());
    slow_.hold(GetParam().function);
    auto waits = std::async(std::launch::async, [&] { return GetParam().work(store_, slow); });
    EXPECT_TRUE(slow_.is_waiting());
    auto works = std::async(std::launch::async, [&] { return work_of_another(mine); });
    const bool done = works.wait_for(kLong) == std::future_status::ready;
    EXPECT_TRUE(done);
    EXPECT_EQ(waits.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    slow_.let_go();
    EXPECT_EQ(works.get(), "synced 1:x put v mids made 1:y");
    EXPECT_EQ(waits.get(), GetParam().answer);
}

// A sync of all sessions waits for the slow one, but does not delay other sessions meanwhile.
TEST_P(StoreOverlap, SoDoesASyncOfAllThatWaitsForIt) {
    Open slow(store_, "slow"), mine(store_, "mine");
    ASSERT_EQ(slow.append("1"), ACCP_OK);
    ASSERT_TRUE(store_.sync().ok());
    slow_.hold(GetParam().function);
    ASSERT_EQ(slow.put(store::Tier::kCold, "queued", "q"), ACCP_OK);
    auto waits = std::async(std::launch::async, [&] { return GetParam().work(store_, slow); });
    EXPECT_TRUE(slow_.is_waiting());
    auto syncs = std::async(std::launch::async, [&] { return store_.sync().ok(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    auto works = std::async(std::launch::async, [&] { return work_of_another(mine); });
    EXPECT_EQ(works.wait_for(kLong), std::future_status::ready);
    slow_.let_go();
    EXPECT_NE(works.get(), "");
    EXPECT_TRUE(syncs.get());
    waits.get();
    EXPECT_EQ(slow.blob(store::Tier::kCold, "queued"), "q");
}

INSTANTIATE_TEST_SUITE_P(Calls, StoreOverlap, testing::ValuesIn(kCases),
                         [](const auto &it) { return std::string(it.param.name); });

// Counts the calls that are in the back end at the same time.
class Counted : public Front {
public:
    std::shared_ptr<void> enter(const char *, const accp_text &) override {
        const int now = ++inside_;
        int before = most.load();
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        std::this_thread::yield();
        return std::shared_ptr<void>(nullptr, [this](void *) { --inside_; });
    }
    std::atomic<int> most{0};

private:
    std::atomic<int> inside_{0};
};

TEST(StoreTurns, ATableThatDoesNotSaySoIsCalledByOneThreadAtATime) {
    const accp_store_backend table = Front::table_of(0);
    Directory directory;
    Counted counted;
    ASSERT_EQ(counted.open(directory.file()), ACCP_OK);
    store::Store store{Settings()};
    ASSERT_TRUE(store.open(table, &counted, true).ok());
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            Open session(store, std::to_string(t));
            for (int i = 0; i < 50; ++i) {
                wrong += session.append("x") != ACCP_OK || !session->sync().ok();
                wrong += session.records(i + 1) != std::to_string(i + 1) + ":x";
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(counted.most.load(), 1);
}

}  // namespace
