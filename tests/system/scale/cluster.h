// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Nodes of a simulated store and the network before them. Each shard has a leader that serves one
// request after another and acknowledges a write when a majority has it. Replies get lost, leaders
// change, majorities fail, and gateways are cut off from shards.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "scale/place.h"
#include "scale/simulation.h"

namespace scale {

// Whether an acknowledged write is checked again, as libaccp-nats does for replicas, whose nodes
// may acknowledge two racing writes (docs/store.md): one session after another, or all at once.
enum class RaceChecks { kNone, kAtOnce, kOneByOne };

// Broken promises of a store, to test the checks.
enum class Mutant {
    kNone,
    kMinority,   // a leader without a majority acknowledges, and its writes are lost later
    kRace,       // a write is accepted after any other one
    kStaleHead,  // a replica that lags returns the head
    kEarlyAck    // the leader acknowledges alone, and may lose the write
};

struct ClusterRules {
    size_t shards = 1;
    Nanos one_way = 130 * kMicrosecond;    // minimum of the network
    Nanos jitter = 20 * kMicrosecond;      // additional, on average
    Nanos write = 20 * kMicrosecond;       // time of a leader for a message
    Nanos read = 15 * kMicrosecond;        // the same for a read
    Nanos replicate = 800 * kMicrosecond;  // until a majority has it, on average
    Nanos timeout = 5 * kSecond;           // the caller waits no longer for a reply
    double lost_answers = 0;
    bool walks = true;  // one request per record, as libaccp-nats reads a log
    RaceChecks race_checks = RaceChecks::kOneByOne;
    Mutant mutant = Mutant::kNone;
};

// A request to one shard.
struct Job {
    size_t shard = 0;
    Nanos service = 0;
    bool is_write = false;
    size_t bytes = 0;                   // of the request
    std::vector<std::string> sessions;  // that a write changes
    std::function<size_t()> serve;      // runs at the shard; returns the size of the reply
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

    // Sends all requests at once and waits. Returns which of them got a reply. `caller`: the
    // gateway.
    std::vector<bool> ask(size_t caller, std::vector<Job> jobs);

    size_t shard_of(std::string_view session) const;
    void change_leader(size_t shard, Nanos pause);
    void lose_majority(size_t shard, Nanos time);
    void set_cut(size_t caller, size_t shard, bool cut);
    // Ends all faults.
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
        std::vector<Place::Before> journal;  // of a leader without a majority
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
