// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Power failures and failing calls, at every call of the disk. All acknowledged groups must be
// there, and the contents must be a prefix of what was written.
#include "store/disk.h"
#include "store/sqlite_setup.h"
#include "store/work.h"

using namespace store_tests;

namespace {

constexpr uint64_t kGroups = 6;
// Tests every third call with a sanitizer, which is slow and only checks our code, not SQLite's.
constexpr uint64_t kStep = ACCP_SANITIZED ? 3 : 1;
constexpr int kWalPages = 12;  // a checkpoint every second group

store::StorePlace on_disk(bool vacuums = false) {
    store::StorePlace place;
    static const store::SqliteSetup setups[] = {{Disk::kName, kWalPages, false},
                                                {Disk::kName, kWalPages, true}};
    place.sqlite = &setups[vacuums];
    return place;
}

// Opens a store and works until all groups are written or something fails. Returns the number of
// acknowledged groups.
uint64_t run(uint64_t groups) {
    Opened store("sqlite:store", on_disk());
    if (store.status != ACCP_OK) return 0;
    Work work(store);
    while (work.a.status == ACCP_OK && work.b.status == ACCP_OK && work.done < groups &&
           work.next() == ACCP_OK)
        continue;
    return work.a.status == ACCP_OK && work.b.status == ACCP_OK ? work.done : 0;
}

void expect_whole(uint64_t acknowledged, const std::string &when) {
    Opened store("sqlite:store", on_disk());
    ASSERT_EQ(store.status, ACCP_OK) << when;
    {
        Work work(store);
        ASSERT_EQ(work.check(acknowledged), "") << when;
        ASSERT_EQ(work.next(), ACCP_OK) << when;
        ASSERT_EQ(work.check(work.done), "") << when;
    }
    ASSERT_EQ(store.damage(), "") << when;
}

uint64_t calls_of_a_run() {
    Disk disk;
    EXPECT_EQ(run(kGroups), kGroups);
    return disk.calls();
}

// Runs over two kinds of disk. If a write can damage neighbouring bytes, each group is one synced
// transaction. If the disk keeps them, the sync comes after the transaction.
class StorePower : public testing::TestWithParam<bool> {
protected:
    StorePower() { Disk::keeps_neighbours = GetParam(); }
};
class StoreFault : public StorePower {};

TEST_P(StorePower, FailsAtEveryCall) {
    uint64_t calls = calls_of_a_run(), unsynced = 0;
    ASSERT_GT(calls, 100u);
    std::mt19937 random(1);
    for (uint64_t at = 1; at <= calls; at += kStep)
        for (Loss loss : {Loss::kAll, Loss::kNone, Loss::kTail, Loss::kSome, Loss::kZeroed}) {
            Disk disk;
            disk.plan(Fault::kPower, at, true);
            uint64_t acknowledged = run(kGroups);
            ASSERT_TRUE(disk.happened());
            for (auto &[name, file] : disk.files) unsynced += file.cached.size();
            disk.lose_power(loss, random);
            expect_whole(acknowledged, "call " + std::to_string(at) + ", loss " +
                                           std::to_string(static_cast<int>(loss)));
            if (HasFatalFailure()) return;
        }
    EXPECT_GT(unsynced, calls);  // otherwise nothing could be lost
}

TEST_P(StorePower, FailsAgainWhileTheStoreIsMended) {
    uint64_t calls = calls_of_a_run();
    std::mt19937 random(2);
    for (int turn = 0; turn < 600 / static_cast<int>(kStep); ++turn) {
        Disk disk;
        disk.plan(Fault::kPower, 1 + random() % calls, true);
        uint64_t acknowledged = run(kGroups);
        for (int again = 0; again < 3; ++again) {
            disk.lose_power(random() % 2 ? Loss::kSome : Loss::kZeroed, random);
            disk.plan(Fault::kPower, 1 + random() % 60, true);
            acknowledged = std::max(acknowledged, run(acknowledged + 1));
        }
        disk.lose_power(Loss::kAll, random);
        expect_whole(acknowledged, "turn " + std::to_string(turn));
        if (HasFatalFailure()) return;
    }
}

// Pruning copies the file. All acknowledged groups must be there before and after it.
TEST_P(StorePower, FailsWhileTheFileIsVacuumed) {
    const auto prune = [] {
        Opened store("sqlite:store", on_disk(true));
        uint64_t pruned = 0;
        return store.status == ACCP_OK ? store->prune({1, 1}, pruned).code : store.status;
    };
    uint64_t calls = 0;
    {
        Disk disk;
        ASSERT_EQ(run(kGroups), kGroups);
        disk.plan(Fault::kNone, 0, false);
        ASSERT_EQ(prune(), ACCP_OK);
        calls = disk.calls();
        expect_whole(kGroups, "no failure");
    }
    std::mt19937 random(4);
    for (uint64_t at = 1; at <= calls; at += kStep)
        for (Fault fault : {Fault::kPower, Fault::kError, Fault::kFull}) {
            Disk disk;
            ASSERT_EQ(run(kGroups), kGroups);
            disk.plan(fault, at, fault == Fault::kPower);
            const accp_status status = prune();
            EXPECT_TRUE(status != ACCP_ERR_CORRUPT && status != ACCP_ERR_BUSY) << status;
            if (fault == Fault::kPower) disk.lose_power(Loss::kSome, random);
            else disk.plan(Fault::kNone, 0, false);
            expect_whole(kGroups, "call " + std::to_string(at) + ", fault " +
                                      std::to_string(static_cast<int>(fault)));
            if (HasFatalFailure()) return;
        }
}

// Checks the test itself: it detects a disk that reports a sync without doing it.
TEST_P(StorePower, ADiskThatLiesIsFoundOut) {
    std::mt19937 random(3);
    Disk disk;
    ASSERT_EQ(run(kGroups), kGroups);
    for (auto &[name, file] : disk.files)
        file.synced = file.synced.substr(0, file.synced.size() / 2);
    disk.lose_power(Loss::kAll, random);
    Opened store("sqlite:store", on_disk());
    EXPECT_TRUE(store.status != ACCP_OK || Work(store).check(kGroups) != "");
}

TEST_P(StoreFault, EveryCallFailsOnceAndForEver) {
    uint64_t calls = calls_of_a_run();
    for (uint64_t at = 1; at <= calls; at += kStep)
        for (Fault fault : {Fault::kError, Fault::kFull, Fault::kShort})
            for (bool for_ever : {false, true}) {
                Disk disk;
                disk.plan(fault, at, for_ever);
                uint64_t acknowledged = run(kGroups);
                disk.plan(Fault::kNone, 0, false);
                expect_whole(acknowledged, "call " + std::to_string(at) + ", fault " +
                                               std::to_string(static_cast<int>(fault)) +
                                               (for_ever ? " for ever" : ""));
                if (HasFatalFailure()) return;
            }
}

TEST_P(StoreFault, AfterASyncThatFailedNothingIsWritten) {
    Disk disk;
    uint64_t acknowledged = 0;
    {
        Opened store("sqlite:store", on_disk());
        Work work(store);
        ASSERT_EQ(work.next(), ACCP_OK);
        acknowledged = work.done;
        disk.plan(Fault::kError, 1, false, true);
        EXPECT_EQ(work.next(), ACCP_ERR_IO);
        ASSERT_TRUE(disk.happened());
        EXPECT_EQ(work.a->sync().code, ACCP_ERR_IO);  // even after the disk works again
        EXPECT_EQ(Open(store, "c").status, ACCP_ERR_IO);
        uint64_t pruned = 0;
        EXPECT_EQ(store->prune({1, 1}, pruned).code, ACCP_ERR_IO);
        EXPECT_EQ(work.b.blob(store::Tier::kCold, "x"), "E2001");  // reading still works
    }
    expect_whole(acknowledged, "a sync that failed");
}

TEST_P(StoreFault, AFullDiskLosesNothing) {
    Disk disk;
    Opened store("sqlite:store", on_disk());
    Work work(store);
    ASSERT_EQ(work.next(), ACCP_OK);
    ASSERT_EQ(work.commit_next(), ACCP_OK);
    disk.plan(Fault::kFull, 1, true);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(work.a->sync().code, ACCP_ERR_IO);
    disk.plan(Fault::kNone, 0, false);
    EXPECT_EQ(work.a->sync().code, ACCP_OK);  // the disk has space again
    EXPECT_EQ(work.check(2), "");
}

const auto kDisks = testing::Bool();
std::string name_of(const testing::TestParamInfo<bool> &it) {
    return it.param ? "SyncApart" : "SyncedTransactions";
}
INSTANTIATE_TEST_SUITE_P(Disks, StorePower, kDisks, name_of);
INSTANTIATE_TEST_SUITE_P(Disks, StoreFault, kDisks, name_of);

}  // namespace
