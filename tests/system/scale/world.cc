// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/world.h"

#include <algorithm>
#include <utility>

namespace scale {

World::World(const Scenario &scenario, const Frames &frames)
    : scenario_(scenario),
      simulation_(scenario.seed),
      cluster_(simulation_, scenario.cluster),
      site_(cluster_, scenario.site),
      talk_(simulation_, model_, frames, site_, scenario.talk),
      reader_(std::make_shared<Caller>()) {
    reader_->number = scenario.site.gateways;
    if (scenario.fills) fill();
}

// Functions that wait in the middle of a call continue to their end.
World::~World() {
    is_over_ = true;
    reader_->is_dead = true;
    for (size_t i = 0; i < site_.size(); ++i) site_.kill(i);
    cluster_.heal();
    simulation_.run(simulation_.now() + 10 * scenario_.cluster.timeout +
                    10 * scenario_.site.replaced);
    for (size_t i = 0; i < site_.size(); ++i) site_.kill(i);
    simulation_.run(simulation_.now() + scenario_.cluster.timeout);
}

// Writes by a process of its own, before the simulation begins and without using time.
void World::fill() {
    constexpr uint32_t kGroup = 1000;
    const auto caller = std::make_shared<Caller>();
    const Engine engine(&store_table(), new_store_user(cluster_, caller));
    std::vector<Handle<accp_session>> open;
    for (uint32_t session = 0; session < scenario_.talk.sessions; ++session) {
        open.push_back(engine.open(session_name(session)));
        const std::string text = talk_.say_first(session);
        accp_error err = {};
        if (accp_session_receive(open.back().get(), text.data(), text.size(), kEpochMs, nullptr,
                                 &err) != ACCP_OK)
            model_.find_fault("a first frame was refused", session_name(session));
        if (open.size() < kGroup && session + 1 < scenario_.talk.sessions) continue;
        if (engine.sync() != ACCP_OK)
            model_.find_fault("the store does not fill", session_name(session));
        open.clear();
    }
    open.clear();
    for (uint32_t left = std::min(scenario_.opened, scenario_.talk.sessions); left-- > 0;)
        site_.take_before(left, talk_.say_first(left));
    site_.forget_counts();
    cluster_.traffic() = {};
}

void World::repeat(Nanos mean, std::function<void()> fault) {
    if (!mean) return;
    const double wait = simulation_.random().exponential(static_cast<double>(mean));
    simulation_.after(static_cast<Nanos>(wait), [this, mean, fault = std::move(fault)] {
        if (simulation_.now() >= end_ || is_over_) return;
        fault();
        repeat(mean, fault);
    });
}

void World::plan_faults() {
    const FaultRules &rules = scenario_.faults;
    const auto lasts = [this](Nanos mean) {
        return static_cast<Nanos>(simulation_.random().exponential(static_cast<double>(mean)));
    };
    const auto any_shard = [this] { return simulation_.random().below(scenario_.cluster.shards); };
    const auto any_gateway = [this] { return simulation_.random().below(site_.size()); };
    repeat(rules.leader_changes, [=, this, &rules] {
        cluster_.change_leader(any_shard(), 50 * kMillisecond + lasts(rules.leader_pause));
    });
    repeat(rules.majority_losses, [=, this, &rules] {
        cluster_.lose_majority(any_shard(), 50 * kMillisecond + lasts(rules.majority_time));
    });
    repeat(rules.cuts, [=, this, &rules] {
        const size_t gateway = any_gateway(), shard = any_shard();
        cluster_.set_cut(gateway, shard, true);
        simulation_.after(lasts(rules.cut_time),
                          [=, this] { cluster_.set_cut(gateway, shard, false); });
    });
    repeat(rules.kills, [=, this] { site_.kill(any_gateway()); });
    if (rules.kill_at) simulation_.after(rules.kill_at, [this] { site_.kill(0); });
}

// Checks that a session that is opened now has a frame that was acknowledged before.
void World::read_one(const Engine &engine) {
    constexpr uint64_t kNewest = 200;
    const uint64_t back = simulation_.random().below(std::min<uint64_t>(kNewest, model_.size()));
    if (model_.size() == 0 || model_[model_.size() - 1 - back].acknowledged < 0) return;
    const uint64_t number = model_.size() - 1 - back;
    accp_status status = ACCP_OK;
    const std::string name = session_name(model_[number].session);
    const Handle<accp_session> session = engine.open(name, ACCP_SESSION_READ_ONLY, &status);
    bool found = false;
    for (uint64_t at = session ? accp_session_record_count(session.get()) : 0;
         at && !found && status == ACCP_OK; --at) {
        accp_log_record record = {};
        status = accp_session_record(session.get(), at, &record, nullptr);
        found =
            status == ACCP_OK && Frames::number_of({record.text.text, record.text.len}) == number;
    }
    if (status == ACCP_ERR_IO || status == ACCP_ERR_CLOSED) return;
    ++readings_;
    if (status != ACCP_OK)
        model_.find_fault(std::string("cannot be read: ") + accp_status_code_name(status), name);
    else if (!found) model_.find_fault("an acknowledged frame is not there yet", name);
}

void World::read_now_and_then() {
    if (!scenario_.readings) return;
    simulation_.spawn([this] {
        const Engine engine(&store_table(), new_store_user(cluster_, reader_));
        while (simulation_.now() < end_ && !reader_->is_dead) {
            simulation_.sleep(static_cast<Nanos>(
                simulation_.random().exponential(static_cast<double>(scenario_.readings))));
            read_one(engine);
        }
    });
}

void World::run() {
    began_ = simulation_.now();
    end_ = began_ + scenario_.duration;
    plan_faults();
    read_now_and_then();
    talk_.begin(end_);
    simulation_.run(end_);
    queued_ = site_.queued();
    busiest_ = cluster_.busiest_leader(scenario_.duration);
    acknowledged_in_time_ = talk_.acknowledged();
    counts_ = site_.counts();
    traffic_ = cluster_.traffic();
    cluster_.heal();
    for (Nanos waited = 0; waited < scenario_.grace && !talk_.is_over(); waited += kSecond)
        simulation_.run(simulation_.now() + kSecond);
}

void World::check() {
    const auto caller = std::make_shared<Caller>();
    const Engine engine(&store_table(), new_store_user(cluster_, caller));
    model_.check(engine);
}

}  // namespace scale
