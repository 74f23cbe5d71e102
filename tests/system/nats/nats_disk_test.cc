// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A full disk, nodes that pause, and hosts whose clocks jump. ACCP_NATS_SECONDS=600 for a long run.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>

#include "nats/groups.h"
#include "nats/load.h"
#include "nats/nats_cluster.h"
#include "nats/small_disk.h"

using namespace nats_tests;

namespace {

#define SKIP_WITHOUT_MOUNTS()                           \
    const std::string obstacle = SmallDisk::obstacle(); \
    if (!obstacle.empty()) GTEST_SKIP() << obstacle

std::shared_ptr<accp::store::Store> open_at(const std::string &place) {
    for (int tries = 0; tries < 1200; ++tries, usleep(100000))
        if (auto store = open_backend(accp_store_backend_entry, place)) return store;
    ADD_FAILURE() << "the store cannot be opened";
    return nullptr;
}

// Writes `count` groups, or until one is refused.
accp_status write_groups(Groups &groups, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        const accp_status status = groups.write_next();
        if (status != ACCP_OK) return status;
    }
    return ACCP_OK;
}

// Repeats refused writes for some seconds, as a host does.
accp_status write_patiently(Groups &groups, uint64_t count, double seconds) {
    const int64_t ends = load_time() + static_cast<int64_t>(seconds * 1e9);
    accp_status status = write_groups(groups, count);
    while (status == ACCP_ERR_IO && load_time() < ends) {
        usleep(100000);
        status = write_groups(groups, count);
    }
    return status;
}

void expect_groups(const std::string &place, uint64_t acknowledged) {
    const auto store = open_at(place);
    ASSERT_TRUE(store);
    Groups groups(*store, "groups", false);
    ASSERT_EQ(groups.status(), ACCP_OK);
    EXPECT_GE(groups.done(), acknowledged);
    EXPECT_EQ(groups.check(), "");
}

TEST(NatsDisk, AFullOneRefusesAndKeepsWhatWasAcknowledged) {
    SKIP_WITHOUT_MOUNTS();
    store_tests::Directory directory;
    SmallDisk disk(directory.file(), 32);
    Cluster cluster(1, nullptr, directory.file());
    cluster.make_stream("full");
    const std::string place = cluster.place("full");
    const auto store = open_at(place);
    ASSERT_TRUE(store);
    Groups groups(*store, "groups");
    ASSERT_EQ(write_patiently(groups, 20, 120), ACCP_OK);
    disk.fill_but(2000);
    ASSERT_EQ(write_groups(groups, 1000), ACCP_ERR_IO);
    const uint64_t acknowledged = groups.done();
    EXPECT_GE(acknowledged, 20u);
    EXPECT_EQ(groups.write_next(), ACCP_ERR_IO);
    disk.make_room();
    const bool went_on = write_patiently(groups, 5, 3) == ACCP_OK;
    if (!went_on) {  // nats-server 2.9 stops JetStream if its disk is full
        cluster.kill_now(0);
        cluster.start(0);
        EXPECT_EQ(write_patiently(groups, 5, 120), ACCP_OK);
    }
    EXPECT_GE(groups.done(), acknowledged + 5);
    expect_groups(place, groups.done());
    std::printf("full after %llu groups; went on %s\n",
                static_cast<unsigned long long>(acknowledged),
                went_on ? "by itself" : "when the node was started anew");
}

// nats-server 2.9 may block the others until it is stopped.
TEST(NatsDisk, OneOfThreeThatIsFullLosesNothing) {
    SKIP_WITHOUT_MOUNTS();
    store_tests::Directory directory;
    SmallDisk disk(directory.file("0"), 32);
    Cluster cluster(3, nullptr, directory.file(""));
    cluster.make_stream("full");
    const std::string place = cluster.place("full");
    const auto store = open_at(place);
    ASSERT_TRUE(store);
    Groups groups(*store, "groups");
    ASSERT_EQ(write_patiently(groups, 10, 120), ACCP_OK);
    disk.fill_but(500);
    const bool went_on = write_patiently(groups, 15, 5) == ACCP_OK;
    cluster.kill_now(0);
    EXPECT_EQ(write_patiently(groups, 5, 120), ACCP_OK);
    disk.make_room();
    cluster.start(0);
    cluster.wait_until_whole("full");
    EXPECT_EQ(write_patiently(groups, 5, 120), ACCP_OK);
    expect_groups(place, groups.done());
    std::printf("%llu groups; with the full node the others %s\n",
                static_cast<unsigned long long>(groups.done()),
                went_on ? "went on" : "were held up");
}

// Stops nodes for a moment, again and again, as if their device stalled.
void run_in_fits(const std::string &prefix, size_t nodes, useconds_t max_stop_us) {
    std::mt19937 random(std::random_device{}());
    const char *wanted = std::getenv("ACCP_NATS_SECONDS");
    const double seconds = wanted ? std::atof(wanted) : 8;
    LoadPlan plan;
    plan.seconds = seconds + 300;  // it is stopped before
    plan.operations = static_cast<size_t>(plan.seconds * 15);
    plan.seed = std::random_device{}();
    Cluster cluster(nodes);
    cluster.make_stream(prefix);
    const OpenStore open = [&](size_t) {
        return open_backend(accp_store_backend_entry, cluster.place(prefix));
    };
    Load load(plan, open);
    size_t stops = 0;
    const int64_t ends = load_time() + static_cast<int64_t>(seconds * 1e9);
    for (; !load.is_over() && (load_time() < ends || load.acknowledged() <= 10); ++stops) {
        usleep(random() % 200000);
        const size_t node = random() % nodes;
        load.mark("node " + std::to_string(node) + " stops");
        cluster.signal(node, SIGSTOP);
        usleep(random() % max_stop_us);
        cluster.signal(node, SIGCONT);
        load.mark("it goes on");
    }
    load.finish();
    load.read_all(open);
    load.expect_linear(prefix);
    EXPECT_GT(load.acknowledged(), 10u);
    std::printf("%s: %zu stops, %s\n", prefix.c_str(), stops, load.summary().c_str());
}

TEST(NatsDisk, ANodeThatAnswersInFitsIsNoHarm) { run_in_fits("fits", 1, 400000); }
TEST(NatsDisk, ThreeNodesThatAnswerInFitsAreNoHarm) { run_in_fits("fits3", 3, 1500000); }

// Each call gets the time of a host whose clock is wrong by years, in either direction. Stored data
// depends only on the times that it was stored with, and an expired grant stays expired.
TEST(NatsDisk, ClocksThatJumpAreNoHarm) {
    constexpr uint64_t kYearMs = 365ull * 24 * 3600 * 1000, kStart = 50 * kYearMs;
    using accp::store::Tier;
    std::mt19937_64 random(7);
    Cluster cluster(1);
    cluster.make_stream("clock");
    const auto store = open_at(cluster.place("clock"));
    ASSERT_TRUE(store);
    store_tests::Open owner(*store, "owner"), other(*store, "other");
    std::vector<uint64_t> expires;
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::store::StoreBatch batch(memory);
    batch.grant("other", "warm.", kStart + 10 * kYearMs);
    ASSERT_EQ(owner->commit(batch).code, ACCP_OK);
    uint64_t latest = 0;
    for (uint64_t i = 0; i < 150; ++i) {
        const uint64_t now = kStart + random() % (20 * kYearMs);
        if (i == 75) {
            cluster.kill_now(0);
            cluster.start(0);
        }
        expires.push_back(now + random() % kYearMs);
        const std::string text = std::to_string(i);
        ASSERT_EQ(owner.append(text), ACCP_OK);
        ASSERT_EQ(owner.put(Tier::kWarm, text, text, expires.back()), ACCP_OK);
        accp_status synced = owner->sync().code;
        for (int tries = 0; synced == ACCP_ERR_IO && tries < 2400; ++tries, usleep(50000))
            synced = owner->sync().code;
        ASSERT_EQ(synced, ACCP_OK);
        const uint64_t one = random() % expires.size(), then = kStart + random() % (20 * kYearMs);
        const std::string key = std::to_string(one);
        EXPECT_EQ(owner.blob(Tier::kWarm, key, then), expires[one] > then ? key : "E2002");
        latest = std::max(latest, then);
        const bool is_granted = kStart + 10 * kYearMs > latest;
        EXPECT_EQ(other.shared("owner", Tier::kWarm, key, then), !is_granted           ? "E5002"
                                                                 : expires[one] > then ? key
                                                                                       : "E2002");
    }
    uint64_t pruned = 0;
    ASSERT_TRUE(store->prune({kStart + 5 * kYearMs, 0}, pruned).ok());
    ASSERT_TRUE(store->prune({kStart, 0}, pruned).ok());  // the clock went back
    EXPECT_EQ(pruned, 0u);
    for (uint64_t i = 0; i < expires.size(); ++i)
        EXPECT_EQ(owner.blob(Tier::kWarm, std::to_string(i), 0),
                  expires[i] > kStart + 5 * kYearMs ? std::to_string(i) : "E2001");
    EXPECT_EQ(owner->row().last, expires.size());
    EXPECT_TRUE(store->verify(nullptr, nullptr).ok());
}

}  // namespace
