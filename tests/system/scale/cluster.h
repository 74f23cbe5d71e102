// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Nodes of a simulated store and the network before them: shards, each with a leader that does one
// thing after another and acknowledges a write when a majority has it; answers that are lost,
// leaders that change, majorities that are gone, gateways that are cut off from a shard.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "scale/place.h"
#include "scale/simulation.h"

namespace scale {

// Whether a write that was acknowledged is looked at again, as libaccp-nats does on replicas, whose
// nodes acknowledge two that race (docs/store.md): one session after another, or all at once.
enum class RaceChecks { kNone, kAtOnce, kOneByOne };

// What a store must not do, and a test of the checks lets it do.
enum class Mutant {
    kNone,
    kMinority,   // a leader without a majority acknowledges, and what it took is gone later
    kRace,       // a write is taken whatever it comes after
    kStaleHead,  // a head is answered by a replica that lags
    kEarlyAck    // acknowledged by the leader alone, which may die with it
};

struct ClusterRules {
    size_t shards = 1;
    Nanos one_way = 130 * kMicrosecond;    // of the network, at least
    Nanos jitter = 20 * kMicrosecond;      // more than that, on average
    Nanos write = 20 * kMicrosecond;       // of a leader, for a message
    Nanos read = 15 * kMicrosecond;        // the same, for what it answers
    Nanos replicate = 800 * kMicrosecond;  // until a majority has it, on average
    Nanos timeout = 5 * kSecond;           // after which nobody waits for an answer
    double lost_answers = 0;
    bool walks = true;  // a request for each record, as libaccp-nats reads a log
    RaceChecks race_checks = RaceChecks::kOneByOne;
    Mutant mutant = Mutant::kNone;
};

// What one shard is asked.
struct Job {
    size_t shard = 0;
    Nanos service = 0;
    bool is_write = false;
    size_t bytes = 0;                   // of the request
    std::vector<std::string> sessions;  // that a write is about
    std::function<size_t()> serve;      // at the shard; the bytes of its answer
};

enum class Asked { kHead, kWrite, kRecords, kValue, kKeys };
constexpr size_t kAskedKinds = 5;

struct Traffic {
    std::array<uint64_t, kAskedKinds> calls = {};
    uint64_t writes = 0;  // messages of logs
    uint64_t requests = 0, request_bytes = 0, answer_bytes = 0, replica_bytes = 0, unanswered = 0;
};

class Cluster {
public:
    Cluster(Simulation &simulation, const ClusterRules &rules);

    // Asks all at once, and waits: which of them were answered. `caller`: the gateway.
    std::vector<bool> ask(size_t caller, std::vector<Job> jobs);

    size_t shard_of(std::string_view session) const;
    void change_leader(size_t shard, Nanos pause);
    void lose_majority(size_t shard, Nanos time);
    void set_cut(size_t caller, size_t shard, bool cut);
    // Everything is well again.
    void heal();

    const ClusterRules &rules() const { return rules_; }
    Simulation &simulation() { return simulation_; }
    Place &place() { return place_; }
    Traffic &traffic() { return traffic_; }
    double busiest_leader(Nanos time) const;  // its share of that time

private:
    struct Shard {
        uint64_t term = 0;
        Nanos busy_until = 0, last_commit = 0, paused_until = 0, busy = 0;
        int lost_majorities = 0;
        std::vector<Place::Before> journal;  // of a minority
    };

    bool is_cut(size_t caller, size_t shard) const;
    bool leads(const Shard &shard) const;
    Nanos travel();
    void take(const std::shared_ptr<Job> &job, std::function<void(size_t)> answer);
    void commit(const std::shared_ptr<Job> &job, uint64_t term,
                const std::function<void(size_t)> &answer);
    void answer_early(const Job &job, Nanos takes, const std::function<void(size_t)> &answer);
    void serve_in_minority(Shard &shard, const Job &job, const std::function<void(size_t)> &answer);
    void end_minority(Shard &shard);

    Simulation &simulation_;
    ClusterRules rules_;
    Place place_;
    Traffic traffic_;
    std::vector<Shard> shards_;
    std::vector<std::vector<int>> cuts_;  // by caller and shard
};

}  // namespace scale
