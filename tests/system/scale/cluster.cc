// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/cluster.h"

#include <algorithm>
#include <utility>

namespace scale {

Cluster::Cluster(Simulation &simulation, const ClusterRules &rules)
    : simulation_(simulation), rules_(rules), shards_(rules.shards) {
    if (rules.mutant == Mutant::kStaleHead) place_.remember();
}

size_t Cluster::shard_of(std::string_view session) const {
    uint64_t hash = 0;
    for (const char c : session) hash = mix(hash ^ static_cast<unsigned char>(c));
    return hash % shards_.size();
}

bool Cluster::is_cut(size_t caller, size_t shard) const {
    return caller < cuts_.size() && shard < cuts_[caller].size() && cuts_[caller][shard] > 0;
}

void Cluster::set_cut(size_t caller, size_t shard, bool cut) {
    if (cuts_.size() <= caller) cuts_.resize(caller + 1);
    if (cuts_[caller].size() <= shard) cuts_[caller].resize(shards_.size());
    cuts_[caller][shard] = std::max(0, cuts_[caller][shard] + (cut ? 1 : -1));
}

bool Cluster::leads(const Shard &shard) const {
    const bool has_majority = shard.lost_majorities == 0 || rules_.mutant == Mutant::kMinority;
    return has_majority && simulation_.now() >= shard.paused_until;
}

Nanos Cluster::travel() {
    const double more = simulation_.random().exponential(static_cast<double>(rules_.jitter));
    return rules_.one_way + static_cast<Nanos>(more);
}

// A write that the old leader had not acknowledged may be there afterwards or not: commit() decides
// at random.
void Cluster::change_leader(size_t number, Nanos pause) {
    Shard &shard = shards_[number];
    ++shard.term;
    shard.paused_until = std::max(shard.paused_until, simulation_.now() + pause);
    shard.busy_until = shard.paused_until;
}

void Cluster::lose_majority(size_t number, Nanos time) {
    ++shards_[number].term;
    ++shards_[number].lost_majorities;
    simulation_.after(time, [this, number] {
        Shard &shard = shards_[number];
        if (shard.lost_majorities) --shard.lost_majorities;
        if (!shard.lost_majorities) end_minority(shard);
    });
}

void Cluster::heal() {
    for (Shard &shard : shards_) {
        shard.lost_majorities = 0;
        end_minority(shard);
    }
    cuts_.clear();
    rules_.lost_answers = 0;
}

void Cluster::end_minority(Shard &shard) {
    ++shard.term;
    for (; !shard.journal.empty(); shard.journal.pop_back())
        place_.put_back(std::move(shard.journal.back()));
}

void Cluster::serve_in_minority(Shard &shard, const Job &job,
                                const std::function<void(size_t)> &answer) {
    for (const std::string &session : job.sessions) shard.journal.push_back(place_.before(session));
    answer(job.serve());
}

// The leader serves the job first. Then a write waits for the majority, in the order of the log.
void Cluster::take(const std::shared_ptr<Job> &job, std::function<void(size_t)> answer) {
    Shard &shard = shards_[job->shard];
    if (!leads(shard)) return;
    const Nanos now = simulation_.now();
    shard.busy_until = std::max(now, shard.busy_until) + job->service;
    shard.busy += job->service;
    simulation_.after(shard.busy_until - now, [this, job, term = shard.term, answer] {
        Shard &of = shards_[job->shard];
        if (!job->is_write) {
            if (term == of.term && leads(of)) answer(job->serve());
            return;
        }
        const auto takes = static_cast<Nanos>(
            simulation_.random().exponential(static_cast<double>(rules_.replicate)));
        of.last_commit = std::max(of.last_commit, simulation_.now() + takes);
        if (rules_.mutant == Mutant::kEarlyAck && term == of.term)
            return answer_early(*job, of.last_commit - simulation_.now(), answer);
        simulation_.after(of.last_commit - simulation_.now(),
                          [this, job, term, answer] { commit(job, term, answer); });
    });
}

// Serves and acknowledges a write before a majority has it. If the leader changes meanwhile, the
// write may be lost.
void Cluster::answer_early(const Job &job, Nanos takes, const std::function<void(size_t)> &answer) {
    const auto before = std::make_shared<std::vector<Place::Before>>();
    for (const std::string &session : job.sessions) before->push_back(place_.before(session));
    answer(job.serve());
    simulation_.after(takes, [this, before, shard = job.shard, term = shards_[job.shard].term] {
        if (term == shards_[shard].term || simulation_.random().happens(0.5)) return;
        for (Place::Before &one : *before) place_.put_back(std::move(one));
    });
}

void Cluster::commit(const std::shared_ptr<Job> &job, uint64_t term,
                     const std::function<void(size_t)> &answer) {
    Shard &shard = shards_[job->shard];
    if (shard.lost_majorities && term == shard.term) return serve_in_minority(shard, *job, answer);
    const bool is_same = term == shard.term;
    if (!is_same && simulation_.random().happens(0.5)) return;
    const size_t bytes = job->serve();
    traffic_.replica_bytes += job->bytes;
    if (is_same) answer(bytes);
}

std::vector<bool> Cluster::ask(size_t caller, std::vector<Job> jobs) {
    struct Wait {
        Fiber *fiber = Fiber::running();
        size_t left = 0;
        std::vector<bool> answered;
    };
    const auto wait = std::make_shared<Wait>();
    wait->left = jobs.size();
    wait->answered.resize(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i) {
        const auto job = std::make_shared<Job>(std::move(jobs[i]));
        ++traffic_.requests;
        traffic_.request_bytes += job->bytes;
        if (!wait->fiber) {  // no simulation is running: use the store directly
            traffic_.answer_bytes += job->serve();
            wait->answered[i] = true;
            continue;
        }
        const auto answer = [this, wait, i, caller, shard = job->shard](size_t bytes) {
            traffic_.answer_bytes += bytes;
            if (is_cut(caller, shard) || simulation_.random().happens(rules_.lost_answers)) return;
            simulation_.after(travel(), [wait, i] {
                if (!wait->fiber || wait->answered[i]) return;
                wait->answered[i] = true;
                if (!--wait->left) std::exchange(wait->fiber, nullptr)->resume();
            });
        };
        if (!is_cut(caller, job->shard))
            simulation_.after(travel(), [this, job, answer] { take(job, answer); });
    }
    if (!wait->fiber) return wait->answered;
    simulation_.after(rules_.timeout, [this, wait] {
        if (!wait->fiber) return;
        ++traffic_.unanswered;
        std::exchange(wait->fiber, nullptr)->resume();
    });
    Fiber::stop();
    return wait->answered;
}

double Cluster::busiest_leader(Nanos time) const {
    Nanos most = 0;
    for (const Shard &shard : shards_) most = std::max(most, shard.busy);
    return seconds(most) / seconds(std::max<Nanos>(time, 1));
}

}  // namespace scale
