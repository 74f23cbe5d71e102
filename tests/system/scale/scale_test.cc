// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Small runs with every kind of failure and several seeds: no acknowledged frame is lost or stored
// twice, and the order is kept. Then the checks themselves are tested: they must detect stores that
// break a promise. ACCP_SCALE_SEEDS=100 for a long run.
#include <gtest/gtest.h>

#include <cstdlib>

#include "scale/world.h"

namespace scale {
namespace {

const Frames &frames() {
    static const Frames all;
    return all;
}

Scenario with(std::initializer_list<const char *> settings, Scenario scenario = {}) {
    for (const char *one : settings) EXPECT_TRUE(set_scenario(scenario, one)) << one;
    return scenario;
}

Scenario small(uint64_t seed) {
    Scenario scenario = with({"seconds=12",
                              "grace_s=60",
                              "sessions=200",
                              "agents=3",
                              "rate=200",
                              "gateways=3",
                              "shards=3",
                              "lanes=4",
                              "cores=2",
                              "max_open=60",
                              "restored=4",
                              "reads_back=0",
                              "timeout_ms=300",
                              "patience_ms=900",
                              "noticed_ms=300",
                              "replaced_ms=900",
                              "skew_ms=2000",
                              "lost_answers=0.0005",
                              "race_checks=1",
                              "leader_changes_ms=900",
                              "leader_pause_ms=100",
                              "majority_losses_ms=2000",
                              "majority_time_ms=200",
                              "cuts_ms=1500",
                              "cut_time_ms=400",
                              "kills_ms=3000",
                              "kill_at_ms=4000",
                              "readings_ms=10",
                              "hot_agents=10"});
    scenario.seed = seed;
    return scenario;
}

TEST(ScaleRuns, NothingAcknowledgedIsLostWhateverFails) {
    const char *wanted = std::getenv("ACCP_SCALE_SEEDS");
    const int seeds = wanted ? std::atoi(wanted) : ACCP_SANITIZED ? 1 : 6;
    for (int seed = 1; seed <= seeds && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        World world(small(static_cast<uint64_t>(seed)), frames());
        world.run();
        world.check();
        EXPECT_EQ(world.model().faults(), "");
        EXPECT_TRUE(world.talk().is_over()) << "somebody was never answered";
        EXPECT_GT(world.model().found().acknowledged, 1000u);
        EXPECT_GT(world.talk().repeated(), 20u) << "nothing failed";
        EXPECT_GT(world.site().kills(), 0u);
        EXPECT_GT(world.readings(), 5u);
        if (wanted || HasFailure()) std::printf("seed %d\n%s\n", seed, world.report().c_str());
    }
}

// A store that breaks its promise. With one of several seeds the check must report one of these
// faults.
struct Broken {
    const char *mutant;
    std::vector<const char *> found;  // any of them
};

void PrintTo(const Broken &broken, std::ostream *to) { *to << broken.mutant; }

class ScaleBroken : public testing::TestWithParam<Broken> {};

TEST_P(ScaleBroken, IsFoundOut) {
    constexpr uint64_t kSeeds = 5;
    std::string all;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
        World world(with({GetParam().mutant, "leader_changes_ms=300"}, small(seed)), frames());
        world.run();
        world.check();
        all += world.model().faults();
        for (const char *one : GetParam().found)
            if (all.find(one) != all.npos) return;
    }
    ADD_FAILURE() << "nothing of it was seen; but:\n" << all;
}

INSTANTIATE_TEST_SUITE_P(Stores, ScaleBroken,
                         testing::Values(Broken{"mutant=minority", {"is lost"}},
                                         Broken{"mutant=race", {"is lost"}},
                                         Broken{"mutant=stale_head", {"is not there yet"}},
                                         Broken{"mutant=early_ack", {"is lost"}}),
                         [](const auto &it) { return std::string(it.param.mutant + 7); });

TEST(ScaleRuns, OneSeedIsOneRun) {
    const auto digest_of = [](uint64_t seed) {
        World world(with({ACCP_SANITIZED ? "seconds=3" : "seconds=12"}, small(seed)), frames());
        world.run();
        return world.report();
    };
    const std::string first = digest_of(11);
    EXPECT_EQ(digest_of(11), first);
    EXPECT_NE(digest_of(12), first);
}

}  // namespace
}  // namespace scale
