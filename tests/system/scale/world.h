// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A whole run: cluster, gateways and agents, the faults, and the checks at the end.
#pragma once

#include <string>
#include <vector>

#include "scale/talk.h"

namespace scale {

// Mean times between faults of a kind; 0: no faults.
struct FaultRules {
    Nanos leader_changes = 0;  // of any shard
    Nanos leader_pause = 300 * kMillisecond;
    Nanos majority_losses = 0;
    Nanos majority_time = 2 * kSecond;
    Nanos cuts = 0;  // of one gateway from one shard
    Nanos cut_time = 2 * kSecond;
    Nanos kills = 0;    // of a gateway
    Nanos kill_at = 0;  // of gateway 0, once
};

struct Scenario {
    uint64_t seed = 1;
    Nanos duration = 10 * kSecond;
    Nanos grace = 120 * kSecond;  // time at the end in which pending frames are acknowledged
    bool fills = false;           // all sessions exist before the run
    uint32_t opened = 0;          // and so many of the hottest are open
    Nanos readings = 0;           // mean time between reads of acknowledged frames
    ClusterRules cluster;
    SiteRules site;
    TalkRules talk;
    FaultRules faults;
};

// Sets one of them by its name, "shards=4", "write_us=20", "mutant=race". Returns false for an
// unknown name.
bool set_scenario(Scenario &scenario, const std::string &text);
std::vector<std::string> scenario_names();

using Figures = std::vector<std::pair<const char *, double>>;

class World {
public:
    World(const Scenario &scenario, const Frames &frames);
    ~World();

    // Runs the agents for the duration. Then all faults end and pending frames are acknowledged.
    void run();
    // Checks that the store has all acknowledged frames.
    void check();

    Model &model() { return model_; }
    Cluster &cluster() { return cluster_; }
    const Scenario &scenario() const { return scenario_; }
    // The figures of a run, and a digest of all replies in order.
    std::string report();
    Figures figures();
    uint64_t digest() const { return simulation_.digest(); }
    uint64_t readings() const { return readings_; }
    const Talk &talk() const { return talk_; }
    const Site &site() const { return site_; }

private:
    void fill();
    void repeat(Nanos mean, std::function<void()> fault);
    void plan_faults();
    void read_now_and_then();
    void read_one(const Engine &engine);

    Scenario scenario_;
    Simulation simulation_;
    Cluster cluster_;
    Model model_;
    Site site_;
    Talk talk_;
    std::shared_ptr<Caller> reader_;
    Nanos began_ = 0, end_ = 0;  // of the agents' activity
    uint64_t readings_ = 0, queued_ = 0, acknowledged_in_time_ = 0;
    double busiest_ = 0;
    GatewayCounts counts_;
    Traffic traffic_;
    bool is_over_ = false;
};

}  // namespace scale
