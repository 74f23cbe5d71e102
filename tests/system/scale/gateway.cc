// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/gateway.h"

#include <algorithm>
#include <utility>

namespace scale {

Gateway::Gateway(Cluster &cluster, const GatewayRules &rules, size_t number, Nanos skew,
                 GatewayCounts &counts)
    : process_(std::make_shared<Process>(cluster, rules, number, skew, counts)) {
    for (size_t i = 0; i < rules.lanes; ++i) {
        lanes_.push_back(std::make_shared<Lane>(process_));
        cluster.simulation().spawn([lane = lanes_.back()]() mutable {
            lane->run();
            lane.reset();  // its store is closed on this stack
        });
    }
}

void Gateway::take(Request request) {
    Lane &lane = lane_of(request.session);
    lane.take(std::move(request));
}

Gateway::Lane &Gateway::lane_of(uint32_t session) {
    const bool by_shard = process_->rules.lanes_by_shard;
    const uint64_t place =
        by_shard ? process_->cluster.shard_of(session_name(session)) : mix(session);
    return *lanes_[place % lanes_.size()];
}

void Gateway::take_before(uint32_t session, const std::string &text) {
    lane_of(session).take_before(session, text);
}

std::vector<uint32_t> Gateway::kill() {
    std::vector<uint32_t> all;
    process_->caller->is_dead = true;
    for (const auto &lane : lanes_) {
        const std::vector<uint32_t> its = lane->open_sessions();
        all.insert(all.end(), its.begin(), its.end());
        lane->wake();
    }
    std::sort(all.begin(), all.end());
    return all;
}

size_t Gateway::queued() const {
    size_t sum = 0;
    for (const auto &lane : lanes_) sum += lane->queued();
    return sum;
}

// Uses the core that is free first, as soon as it is free.
void Gateway::Process::work(Nanos time) {
    const auto core = std::min_element(cores.begin(), cores.end());
    const Nanos now = cluster.simulation().now();
    *core = std::max(*core, now) + time;
    counts.processor += time;
    cluster.simulation().sleep(*core - now);
}

Gateway::Lane::Lane(std::shared_ptr<Process> process)
    : process_(std::move(process)),
      engine_(&store_table(), new_store_user(process_->cluster, process_->caller)) {}

std::vector<uint32_t> Gateway::Lane::open_sessions() const {
    std::vector<uint32_t> all;
    for (const Open &one : open_) all.push_back(one.session);
    return all;
}

// While the store fails, frames are refused.
void Gateway::Lane::take(Request request) {
    const bool joins = request.frame == Request::kJoin;
    if (fails_ && !joins) return answer(request, Verdict::kUnavailable, ACCP_ERR_IO);
    (joins ? joins_ : frames_).push_back(std::move(request));
    wake();
}

void Gateway::Lane::wake() {
    Fiber *sleeper = std::exchange(sleeper_, nullptr);
    if (sleeper) process_->cluster.simulation().after(0, [sleeper] { sleeper->resume(); });
}

void Gateway::Lane::answer(Request &request, Verdict verdict, accp_status status) {
    if (is_dead() || !request.answer) return;
    process_->counts.refused += verdict != Verdict::kTaken;
    const Nanos travel = process_->cluster.rules().one_way;
    process_->cluster.simulation().after(
        travel, [then = std::move(request.answer), verdict, status] { then(verdict, status); });
    request.answer = nullptr;
}

void Gateway::Lane::run() {
    while (!is_dead()) {
        if (frames_.empty() && joins_.empty()) {
            const Nanos began = now();
            sleeper_ = Fiber::running();
            Fiber::stop();
            process_->counts.idle += now() - began;
        } else {
            turn();
        }
    }
    by_session_.clear();
    open_.clear();
    frames_.clear();
    joins_.clear();
}

void Gateway::Lane::turn() {
    std::deque<Request> frames = std::exchange(frames_, {});
    const size_t joins = std::min(joins_.size(), process_->rules.joins_a_turn);
    ++process_->counts.turns;
    work_ = process_->rules.turn_cpu;
    for (Request &request : frames) {
        if (is_dead()) return;
        receive(request);
    }
    for (size_t i = 0; i < joins && !is_dead(); ++i) {
        Request request = std::move(joins_.front());
        joins_.pop_front();
        const bool opened = open(request.session) != nullptr;
        answer(request, opened ? Verdict::kTaken : Verdict::kUnavailable, ACCP_OK);
    }
    process_->work(work_);
    if (commit()) settle();
    if (process_->rules.reads_back) read_back();
    taken_.clear();
    promised_.clear();
    lost_.clear();
}

void Gateway::Lane::take_before(uint32_t session, const std::string &text) {
    Open *held = open(session);
    (void)accp_session_receive(held->handle.get(), text.data(), text.size(), clock(), nullptr,
                               nullptr);
    drain(held->handle.get());
    (void)engine_.sync();
    held->routed = accp_session_record_count(held->handle.get());
}

// Does the same as SessionPool and HubSession::restore().
Gateway::Open *Gateway::Lane::open(uint32_t session) {
    const auto found = by_session_.find(session);
    if (found != by_session_.end()) {
        open_.splice(open_.begin(), open_, found->second);
        return &open_.front();
    }
    const Nanos began = now();
    work_ += process_->rules.open_cpu;
    accp_status status = ACCP_OK;
    Handle<accp_session> handle = engine_.open(session_name(session), 0, &status);
    const uint64_t count = handle ? accp_session_record_count(handle.get()) : 0;
    const uint64_t restored = process_->rules.restored;
    for (uint64_t at = count > restored ? count - restored : 0; at < count && !is_dead(); ++at) {
        accp_log_record record = {};
        ++process_->counts.records_read;
        if (accp_session_record(handle.get(), at + 1, &record, nullptr) == ACCP_OK) continue;
        handle.reset();
        break;
    }
    process_->counts.opening += now() - began;
    process_->counts.open_took.add(now() - began);
    if (!handle || is_dead()) return nullptr;
    ++process_->counts.opens;
    process_->counts.takeovers += count > 0;
    if (open_.size() >= process_->rules.max_open) close(open_.back().session);
    open_.push_front({session, std::move(handle), count});
    by_session_[session] = open_.begin();
    return &open_.front();
}

void Gateway::Lane::close(uint32_t session) {
    const auto found = by_session_.find(session);
    if (found == by_session_.end()) return;
    open_.erase(found->second);
    by_session_.erase(found);
}

void Gateway::Lane::receive(Request &request) {
    Open *held = open(request.session);
    if (!held) return answer(request, Verdict::kUnavailable, ACCP_ERR_IO);
    accp_session *session = held->handle.get();
    const uint64_t before = accp_session_record_count(session);
    work_ += process_->rules.frame_cpu;
    accp_error err = {};
    const accp_status status = accp_session_receive(session, request.text.data(),
                                                    request.text.size(), clock(), nullptr, &err);
    drain(session);
    const bool is_kept = accp_session_record_count(session) != before;
    const bool is_taken = is_kept && (status == ACCP_OK || status == ACCP_ERR_IO);
    if (is_kept) taken_.push_back(request.session);
    if (is_taken || status == ACCP_E3002) {  // a repeated frame is not safe before the first one is
        promised_.push_back(std::move(request));
        return;
    }
    if (status == ACCP_ERR_CLOSED) lost_.insert(request.session);
    if (status == ACCP_ERR_CLOSED) close(request.session);
    const bool is_ours =
        status == ACCP_ERR_CLOSED || status == ACCP_ERR_IO || status == ACCP_ERR_BUSY || is_dead();
    const bool is_clock = status == ACCP_E1001 && process_->skew;
    answer(request,
           is_ours    ? Verdict::kUnavailable
           : is_clock ? Verdict::kClock
                      : Verdict::kWrong,
           status);
}

// Repeats the sync until it succeeds, so that accepted frames are kept.
bool Gateway::Lane::commit() {
    const Nanos began = now();
    while (!is_dead() && engine_.sync() != ACCP_OK) {
        fails_ = true;
        for (Request &request : std::exchange(frames_, {}))
            answer(request, Verdict::kUnavailable, ACCP_ERR_IO);
        process_->cluster.simulation().sleep(process_->rules.retry);
    }
    fails_ = false;
    process_->counts.committing += now() - began;
    return !is_dead();
}

// If another gateway has taken over a session meanwhile, none of its new frames from here is
// stored.
void Gateway::Lane::settle() {
    std::sort(promised_.begin(), promised_.end(), [](const Request &a, const Request &b) {
        return a.session != b.session ? a.session < b.session : a.frame < b.frame;
    });
    uint32_t last = UINT32_MAX;
    accp_status status = ACCP_OK;
    for (Request &request : promised_) {
        const auto found = by_session_.find(request.session);
        if (request.session != last)
            status = found == by_session_.end() || lost_.count(request.session)
                         ? ACCP_ERR_CLOSED
                         : accp_session_sync(found->second->handle.get(), nullptr);
        last = request.session;
        ++process_->counts.frames;
        answer(request, status == ACCP_OK ? Verdict::kTaken : Verdict::kUnavailable, status);
        if (status == ACCP_ERR_CLOSED) close(request.session);
    }
}

// Does the same as Hub::pass_on(), for connected agents.
void Gateway::Lane::read_back() {
    const Nanos began = now();
    for (const uint32_t session : taken_) {
        const auto found = by_session_.find(session);
        if (found == by_session_.end()) continue;
        Open &held = *found->second;
        const uint64_t count = accp_session_record_count(held.handle.get());
        for (; held.routed < count && !is_dead(); ++held.routed) {
            accp_log_record record = {};
            ++process_->counts.records_read;
            if (accp_session_record(held.handle.get(), held.routed + 1, &record, nullptr) !=
                ACCP_OK)
                break;
        }
    }
    process_->counts.reading_back += now() - began;
}

}  // namespace scale
