// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A whole run: cluster, gateways and agents, what fails, and what is compared at the end.
#pragma once

#include <string>
#include <vector>

#include "scale/talk.h"

namespace scale {

// Mean times between faults of a kind; 0: there are none.
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
    Nanos grace = 120 * kSecond;  // in which what waits is answered at the end
    bool fills = false;           // all sessions are there before
    uint32_t opened = 0;          // and so many of the hottest are open
    Nanos readings = 0;           // mean time between reads of what was acknowledged
    ClusterRules cluster;
    SiteRules site;
    TalkRules talk;
    FaultRules faults;
};

// Sets one of them by its name, "shards=4", "write_us=20", "mutant=race". False: no such name.
bool set_scenario(Scenario &scenario, const std::string &text);
std::vector<std::string> scenario_names();

using Figures = std::vector<std::pair<const char *, double>>;

class World {
public:
    World(const Scenario &scenario, const Frames &frames);
    ~World();

    // Agents speak for the duration; then everything heals and what waits is answered.
    void run();
    // What was acknowledged is looked for in the store.
    void check();

    Model &model() { return model_; }
    Cluster &cluster() { return cluster_; }
    const Scenario &scenario() const { return scenario_; }
    // What happened, figure by figure, and the digest of all answers in their order.
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
    Nanos began_ = 0, end_ = 0;  // of speaking
    uint64_t readings_ = 0, queued_ = 0, acknowledged_in_time_ = 0;
    double busiest_ = 0;
    GatewayCounts counts_;
    Traffic traffic_;
    bool is_over_ = false;
};

}  // namespace scale
