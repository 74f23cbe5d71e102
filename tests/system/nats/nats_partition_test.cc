// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Three nodes, each with the clients of its side in its own network namespace, while the links
// between them fail. A minority must acknowledge nothing and the others must continue. Afterwards
// all sides must see the same, with everything that was acknowledged (history.h).
// ACCP_NATS_ROUNDS=50 for a long run.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>

#include "nats/load.h"
#include "nats/nats_cluster.h"

using namespace nats_tests;

namespace {

constexpr const char *kPrefix = "parts";
constexpr size_t kNodes = 3;

// Shown as a skipped test, not as one that passed.
#define SKIP_WITHOUT_SPACES()                        \
    const std::string obstacle = Spaces::obstacle(); \
    if (!obstacle.empty()) GTEST_SKIP() << obstacle

class Parted {
public:
    Parted() : spaces(kNodes), cluster(kNodes, &spaces), random_(std::random_device{}()) {
        cluster.make_stream(kPrefix);
    }

    // Client n is on the side of node n % 3 and connects to that node only.
    OpenStore stores() {
        return [this](size_t client) {
            spaces.enter(client % kNodes);
            return open_backend(accp_store_backend_entry,
                                cluster.place_at(client % kNodes, kPrefix));
        };
    }
    LoadPlan plan() {
        LoadPlan out;
        out.clients = 2 * kNodes;
        out.sessions = 3;
        out.operations = 100000;
        out.seconds = 100000 / 12.0;
        out.seed = static_cast<uint32_t>(random_());
        return out;
    }
    // Returns the leading node, or another one.
    size_t choose(bool is_leader) {
        const size_t leader = cluster.leader(kPrefix) % kNodes;
        return is_leader ? leader : (leader + 1 + random_() % 2) % kNodes;
    }
    void expect_agreement(Load &load, const std::string &name) {
        load.finish();
        for (size_t node = 0; node < kNodes; ++node) {
            load.mark("what node " + std::to_string(node) + " has");
            spaces.within(node, [&] {
                load.read_all([&](size_t) {
                    return open_backend(accp_store_backend_entry, cluster.place_at(node, kPrefix));
                });
            });
        }
        load.expect_linear(name);
        std::printf("%s: %s\n", name.c_str(), load.summary().c_str());
    }
    static size_t acknowledged_at(const Load &load, size_t node) {
        return load.acknowledged_by(node) + load.acknowledged_by(node + kNodes);
    }
    static size_t acknowledged_elsewhere(const Load &load, size_t node) {
        return load.acknowledged() - acknowledged_at(load, node);
    }

    Spaces spaces;
    Cluster cluster;

private:
    std::mt19937 random_;
};

// Waits until the count has grown by three. Returns the seconds, or fails after some minutes.
template <class Count>
double wait_for_more(Count count) {
    const size_t before = count();
    const int64_t began = load_time();
    while (count() < before + 3 && load_time() - began < 300'000'000'000) usleep(1000);
    EXPECT_GE(count(), before + 3) << "nothing was acknowledged in five minutes";
    return static_cast<double>(load_time() - began) / 1e9;
}

size_t rounds_or(size_t usual) {
    const char *wanted = std::getenv("ACCP_NATS_ROUNDS");
    return wanted ? static_cast<size_t>(std::atoi(wanted)) : usual;
}

// Cuts one node off until the others have elected a leader, if it was the leader.
void cut_one_off(Parted &all, Load &load, bool is_leader) {
    wait_for_more([&] { return load.acknowledged(); });
    all.cluster.wait_until_whole(kPrefix);
    const size_t alone = all.choose(is_leader);
    load.mark("node " + std::to_string(alone) + " is cut off" + (is_leader ? ", the leader" : ""));
    all.spaces.cut(alone);
    usleep(1000000);  // for messages that were already sent, also on a busy machine
    const size_t before = Parted::acknowledged_at(load, alone);
    const double pause = wait_for_more([&] { return Parted::acknowledged_elsewhere(load, alone); });
    usleep(1000000);
    EXPECT_EQ(Parted::acknowledged_at(load, alone), before);
    load.mark("all are together again");
    all.spaces.heal(alone);
    const double back = wait_for_more([&] { return Parted::acknowledged_at(load, alone); });
    std::printf("the others went on after %.1f s, node %zu %.1f s after healing\n", pause, alone,
                back);
}

TEST(NatsPartition, AMinorityAcknowledgesNothingAndTheOthersGoOn) {
    SKIP_WITHOUT_SPACES();
    Parted all;
    for (size_t round = 0; round < rounds_or(2) && !HasFailure(); ++round) {
        Load load(all.plan(), all.stores());
        cut_one_off(all, load, false);
        all.expect_agreement(load, "minority");
    }
}

// A leader fails although its process continues. The result is only checked if the server keeps its
// replicas equal, or if ACCP_NATS_ROUNDS is set.
void judge_after_leader(Parted &all, Load &load, const std::string &name) {
    if (Cluster::keeps_replicas_alike() || std::getenv("ACCP_NATS_ROUNDS"))
        all.expect_agreement(load, name);
    else std::printf("%s: not judged, as this nats-server is older than 2.10\n", name.c_str());
}

TEST(NatsPartition, ALeaderThatIsCutOffAcknowledgesNothing) {
    SKIP_WITHOUT_SPACES();
    Parted all;
    for (size_t round = 0; round < rounds_or(1) && !HasFailure(); ++round) {
        Load load(all.plan(), all.stores());
        cut_one_off(all, load, true);
        judge_after_leader(all, load, "leader");
    }
}

TEST(NatsPartition, NobodyAcknowledgesAloneWhereAllAreApart) {
    SKIP_WITHOUT_SPACES();
    Parted all;
    Load load(all.plan(), all.stores());
    wait_for_more([&] { return load.acknowledged(); });
    load.mark("all are apart");
    for (size_t node = 0; node < kNodes; ++node) all.spaces.cut(node);
    usleep(1000000);
    const size_t before = load.acknowledged();
    usleep(3000000);
    EXPECT_EQ(load.acknowledged(), before);
    load.mark("all are together again");
    for (size_t node = 0; node < kNodes; ++node) all.spaces.heal(node);
    std::printf("went on %.1f s after healing\n",
                wait_for_more([&] { return load.acknowledged(); }));
    all.expect_agreement(load, "apart");
}

// Messages from the leader to one of the others are lost, or those in the other direction.
TEST(NatsPartition, WhatIsLostOneWayIsNoHarm) {
    SKIP_WITHOUT_SPACES();
    Parted all;
    Load load(all.plan(), all.stores());
    for (size_t round = 0; round < rounds_or(2); ++round) {
        wait_for_more([&] { return load.acknowledged(); });
        const size_t leader = all.choose(true), other = all.choose(false);
        const size_t from = round % 2 ? leader : other, to = round % 2 ? other : leader;
        load.mark("node " + std::to_string(from) + " is not heard by " + std::to_string(to));
        all.spaces.lose(from, to);
        usleep(2500000);
        load.mark("all are heard");
        all.spaces.stop_losing(from, to);
    }
    wait_for_more([&] { return load.acknowledged(); });
    all.expect_agreement(load, "one-way");
}

// The queue of the leader's link fills, so its messages arrive seconds later.
TEST(NatsPartition, ASlowLinkIsNoHarm) {
    SKIP_WITHOUT_SPACES();
    Parted all;
    Load load(all.plan(), all.stores());
    for (size_t round = 0; round < rounds_or(2); ++round) {
        wait_for_more([&] { return load.acknowledged(); });
        const size_t slow = all.choose(round % 2 == 0);
        load.mark("node " + std::to_string(slow) + " is slow");
        all.spaces.slow_down(slow, "256kbit");
        usleep(3000000);
        load.mark("no node is slow");
        all.spaces.speed_up(slow);
    }
    wait_for_more([&] { return load.acknowledged(); });
    all.expect_agreement(load, "slow-link");
}

// It regards itself as the leader until it hears from the other one, which takes longer than an
// election.
TEST(NatsPartition, ALeaderThatStoppedAndGoesOnIsNoHarm) {
    SKIP_WITHOUT_SPACES();
    Parted all;
    Load load(all.plan(), all.stores());
    for (size_t round = 0; round < rounds_or(1); ++round) {
        wait_for_more([&] { return load.acknowledged(); });
        all.cluster.wait_until_whole(kPrefix);
        const size_t leader = all.choose(true);
        load.mark("node " + std::to_string(leader) + ", the leader, stops");
        all.cluster.signal(leader, SIGSTOP);
        wait_for_more([&] { return Parted::acknowledged_elsewhere(load, leader); });
        load.mark("it goes on");
        all.cluster.signal(leader, SIGCONT);
        wait_for_more([&] { return Parted::acknowledged_at(load, leader); });
    }
    judge_after_leader(all, load, "stopped");
}

}  // namespace
