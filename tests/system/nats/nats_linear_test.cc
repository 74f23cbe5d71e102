// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The results that concurrent clients of a few sessions get are linear (history.h): in every kind
// of store, and in NATS while nodes are killed and replies are lost. Back ends that break a promise
// show that the check detects that. ACCP_NATS_SECONDS=600 for a long run.
#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "nats/cutting_proxy.h"
#include "nats/load.h"
#include "nats/nats_cluster.h"

using namespace nats_tests;

namespace {

double seconds_or(double usual) {
    const char *wanted = std::getenv("ACCP_NATS_SECONDS");
    return wanted ? std::atof(wanted) : usual;
}

// A plan for operations during so many seconds.
LoadPlan linear_plan(double seconds) {
    LoadPlan plan;
    plan.seconds = seconds;
    plan.operations = static_cast<size_t>(seconds * 15);
    plan.sessions = 3;
    plan.seed = std::random_device{}();
    return plan;
}

LoadPlan quick_plan(uint32_t seed) {
    LoadPlan plan;
    plan.operations = 150;
    plan.seconds = 0.3;
    plan.seed = seed;
    return plan;
}

// The function that a library of a back end exports.
accp_store_opener opener_of(const char *library) {
    void *const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *const found = loaded ? dlsym(loaded, ACCP_STORE_BACKEND_ENTRY) : nullptr;
    EXPECT_NE(found, nullptr) << library;
    return reinterpret_cast<accp_store_opener>(found);
}

OpenStore store_at(const std::string &place, accp_store_opener opener = accp_store_backend_entry) {
    return [=](size_t) { return open_backend(opener, place); };
}

std::shared_ptr<accp::store::Store> open_named(const std::string &name) {
    auto made = std::make_shared<accp::store::Store>(accp::Settings());
    accp::store::StorePlace place;
    place.name = name;
    place.durability = accp::store::Durability::kNormal;
    return made->open(place).ok() ? made : nullptr;
}

void run_control(const std::string &name, const OpenStore &open) {
    for (uint32_t seed = 1; seed <= 3; ++seed) {
        Load load(quick_plan(seed), open);
        while (!load.is_over()) usleep(1000);
        load.read_all(open);
        load.expect_linear(name);
        EXPECT_GT(load.acknowledged(), 20u) << name;
        std::printf("%s: %s\n", name.c_str(), load.summary().c_str());
    }
}

TEST(NatsLinear, StoresOfOneMachineAre) {
    const auto memory = open_named("memory:");
    run_control("memory", [&](size_t) { return memory; });
    store_tests::Directory directory;
    run_control("sqlite", [&](size_t) { return open_named(directory.place()); });
    run_control("example", store_at("linear", opener_of(ACCP_BACKEND)));
}

TEST(NatsLinear, BackEndsThatBreakAPromiseAreNot) {
    const accp_store_opener opener = opener_of(ACCP_BROKEN_BACKEND);
    for (const char *const way : {"no fence", "half", "before looking", "nothing", "right"}) {
        const OpenStore open = store_at(way, opener);
        std::string found;
        for (uint32_t seed = 1; seed <= 10 && found.empty(); ++seed) {
            LoadPlan plan = quick_plan(seed);
            plan.operations = 80;
            Load load(plan, open);
            while (!load.is_over()) usleep(1000);
            load.read_all(open);
            found = load.judge_all();
            if (way == std::string("right")) break;
        }
        EXPECT_EQ(found.empty(), way == std::string("right")) << way << ": " << found;
    }
}

// Waits until some writes are acknowledged.
void wait_for_progress(const Load &load) {
    const size_t before = load.acknowledged();
    for (int tries = 0; load.acknowledged() < before + 3 && tries < 300'000; ++tries) usleep(1000);
    EXPECT_GE(load.acknowledged(), before + 3) << "nothing was acknowledged in five minutes";
}

void expect_linear_at(Cluster &cluster, Load &load, const std::string &prefix) {
    load.finish();
    for (size_t node = 0; node < cluster.size(); ++node) {
        load.mark("what node " + std::to_string(node) + " has");
        load.read_all(store_at(cluster.place_at(node, prefix)));
    }
    load.expect_linear(prefix);
    std::printf("%s: %s\n", prefix.c_str(), load.summary().c_str());
    EXPECT_GT(load.acknowledged(), 5u);
}

TEST(NatsLinear, OneNodeThatIsKilledIs) {
    std::mt19937 random(std::random_device{}());
    Cluster cluster(1);
    cluster.make_stream("one");
    const double seconds = seconds_or(8);
    Load load(linear_plan(seconds + 600), store_at(cluster.place("one")));
    int kills = 0;
    for (const int64_t ends = load_time() + static_cast<int64_t>(seconds * 1e9);
         load_time() < ends && !HasFailure(); ++kills) {
        wait_for_progress(load);
        usleep(random() % 400000);
        cluster.kill_now(0);
        usleep(random() % 50000);
        cluster.start(0);
    }
    wait_for_progress(load);
    expect_linear_at(cluster, load, "one");
    std::printf("%d kills\n", kills);
}

TEST(NatsLinear, AnswersThatAreLostAre) {
    std::mt19937 random(std::random_device{}());
    Cluster cluster(1);
    cluster.make_stream("lost");
    CuttingProxy proxy(cluster.port(0));
    const double seconds = seconds_or(6);
    Load load(linear_plan(seconds + 600),
              store_at("nats://127.0.0.1:" + std::to_string(proxy.port()) + "/lost"));
    const int64_t ends = load_time() + static_cast<int64_t>(seconds * 1e9);
    for (int i = 0; load_time() < ends || (proxy.cuts() <= 10 && i < 1000); ++i) {
        if (i % 10 == 0) wait_for_progress(load);
        usleep(20000 + random() % 100000);
        proxy.lose_answers();
        usleep(random() % 20000);
        proxy.cut();
    }
    wait_for_progress(load);
    expect_linear_at(cluster, load, "lost");
    EXPECT_GT(proxy.cuts(), 10u);
    std::printf("%zu times answers were lost\n", proxy.cuts());
}

size_t kills_or(size_t usual) {
    const char *wanted = std::getenv("ACCP_NATS_KILLS");
    return wanted ? static_cast<size_t>(std::atoi(wanted)) : usual;
}

// The nodes that are killed in a round, before they are restarted.
enum class Kills { kLeader, kFollower, kTwo };

void kill_some(Cluster &cluster, Load &load, const std::string &prefix, Kills kills,
               std::mt19937 &random) {
    const size_t leader = cluster.leader(prefix) % 3, other = (leader + 1 + random() % 2) % 3;
    const auto kill = [&](size_t node) {
        load.mark("node " + std::to_string(node) + (node == leader ? ", the leader," : "") +
                  " is killed");
        cluster.kill_now(node);
    };
    kill(kills == Kills::kFollower ? other : leader);
    if (kills == Kills::kTwo) {
        usleep(random() % 300000);
        kill(other);
    }
    usleep(random() % 500000);
    load.mark("all are started");
    for (size_t node = 0; node < cluster.size(); ++node)
        if (!cluster.runs(node)) cluster.start(node);
}

// An acknowledged write stays, even if its node, or two of the three nodes, are killed at once.
TEST(NatsLinear, ThreeNodesThatAreKilledAre) {
    constexpr Kills ways[] = {Kills::kTwo, Kills::kLeader, Kills::kFollower};
    const std::string prefix = "three";
    std::mt19937 random(std::random_device{}());
    Cluster cluster(3);
    cluster.make_stream(prefix);
    for (size_t kills = 0, wanted = kills_or(1); kills < wanted && !HasFailure();) {
        Load load(linear_plan(600), store_at(cluster.place(prefix)));
        for (size_t i = 0; i < std::size(ways) && kills < wanted; ++i, ++kills) {
            wait_for_progress(load);
            cluster.wait_until_whole(prefix);
            kill_some(cluster, load, prefix, ways[i], random);
        }
        wait_for_progress(load);
        expect_linear_at(cluster, load, prefix);
    }
}

}  // namespace
