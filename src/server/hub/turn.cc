// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub.h: what a turn does.
#include "server/library/failure.h"
#include "server/json/json_object.h"
#include "server/hub/hub.h"

namespace server {
namespace {

constexpr int64_t kPositionsMs = 1000;  // between two writes of how far agents were told
constexpr int64_t kBeatMs = 1000;       // between two looks at who is silent
constexpr int64_t kMaxHeldMs = 1000;    // that an answer waits for a store that fails
constexpr int64_t kRetryMs = 200;       // between two tries of a store that failed
constexpr size_t kMaxIdleSessions = 4096;

}  // namespace

bool Hub::turn(int64_t now_ms, std::vector<HubEffect> &effects) {
    now_ms_ = now_ms;
    if (peers_) hear_peers(now_ms);
    const size_t before = effects.size();
    const bool has_more = turn_here(now_ms, effects) && effects.size() > before;
    if (peers_) carry(effects, now_ms);
    return has_more;
}

bool Hub::turn_here(int64_t now_ms, std::vector<HubEffect> &effects) {
    effects.insert(effects.end(), std::move_iterator(at_once_.begin()),
                   std::move_iterator(at_once_.end()));
    at_once_.clear();
    if (beat_at_ms_ <= now_ms) {
        beat_at_ms_ = now_ms + kBeatMs;
        beat(now_ms);
    }
    tell_late(now_ms);
    if (positions_at_ms_ <= now_ms) keep_positions(now_ms);
    if (!commit(now_ms)) return false;
    effects.insert(effects.end(), std::move_iterator(held_.begin()),
                   std::move_iterator(held_.end()));
    held_.clear();
    const bool has_more = pass_on(effects);
    for (const HubEffect &effect : effects)
        if (effect.is_last) waiting_.erase(effect.to);
    return has_more;
}

// Nothing is said before what it rests on is durable; a store that fails is tried at every turn.
bool Hub::commit(int64_t now_ms) {
    if (taken_.empty() && claims_.empty()) return true;
    if (failed_at_ms_ && now_ms - failed_at_ms_ >= kMaxHeldMs) refuse_promised(now_ms);
    if (retry_at_ms_ > now_ms) return false;
    accp_error err = {};
    const accp_status status = pool_.sync(err);
    metrics_.syncs_took.add(pool_.sync_us());
    if (status == ACCP_OK) {
        retry_at_ms_ = failed_at_ms_ = 0;
        end_lost(now_ms);
        tell_claims(now_ms);
        return true;
    }
    retry_at_ms_ = now_ms + kRetryMs;
    if (!failed_at_ms_) failed_at_ms_ = now_ms;
    return false;
}

bool Hub::pass_on(std::vector<HubEffect> &effects) {
    std::unordered_set<HubSession *> changed;
    changed.swap(changed_);
    bool has_more = false;
    for (HubSession *held : changed) {
        accp_error err = {};
        accp_session *session = pool_.open(held->id(), err);
        if (session && held->pass_on(session, log_reader_, effects)) continue;
        changed_.insert(held);
        has_more = has_more || session;
    }
    return has_more;
}

// HTTP requests whose time is over are told so by a frame of the session.
void Hub::tell_late(int64_t now_ms) {
    for (; !late_.empty() && late_.front().first <= now_ms; late_.pop_front()) {
        const auto found = sessions_.find(late_.front().second);
        if (found != sessions_.end()) tell_late(*found->second, now_ms);
    }
}

void Hub::tell_late(HubSession &held, int64_t now_ms) {
    for (const HubSession::Late &late : held.take_late(now_ms)) {
        if (say(held, wait_for(late), now_ms) ||
            say(held, wait_for({late.chain, late.agent, late.operation}), now_ms))
            continue;
        constexpr const char *kWhy = "nobody has answered yet: ask later";
        held.end_late(late.chain, words_.error(ACCP_ERR_BUSY, kWhy, {}, now_ms), held_);
    }
}

std::string Hub::wait_for(const HubSession::Late &late) const {
    host::JsonObject payload;
    payload.text("target", late.agent);
    if (!late.why.empty()) payload.text("msg", late.why);
    host::JsonList known;
    for (const std::string &name : late.known) known.text(name);
    if (!late.known.empty()) payload.json("known", known.end());
    return host::JsonObject()
        .text("agent", words_.agent())
        .text("intent", "wait")
        .text("operation", late.operation)
        .json("payload", payload.end())
        .json("meta", host::JsonObject().text("cid", late.chain).end())
        .end();
}

// The hub's own word in a session. False: it cannot be said.
bool Hub::say(HubSession &held, std::string_view message, int64_t now_ms) {
    accp_error err = {};
    accp_text frame = {};
    accp_session *session = pool_.open(held.id(), err);
    const bool is_said = session && accp_session_send(session, message.data(), message.size(),
                                                      now_ms, &frame, &err) == ACCP_OK;
    if (is_said) note_change(held);
    return is_said;
}

// The reply quotes the request.
void Hub::answer_route(HubSession &held, const FrameFacts &facts, std::string_view frame,
                       const Origin &origin, int64_t now_ms) {
    const bool is_for_us = facts.target.empty() || facts.target == rules_.agent;
    if (!spawner_ || facts.intent != "req" || facts.operation != "route" || !is_for_us) return;
    const std::string answer = spawner_->answer_frame(frame, rules_.agent, facts.chain());
    if (answer.empty() || say(held, origin.quoting(answer), now_ms)) return;
    const char *why = "the answer is too long for a frame; POST /sacp/v1/spawn gives it";
    say(held,
        host::JsonObject()
            .text("agent", rules_.agent)
            .text("intent", "fail")
            .text("operation", facts.operation)
            .json("payload", host::JsonObject().text("msg", why).end())
            .json("meta", host::JsonObject().text("cid", facts.chain()).end())
            .end(),
        now_ms);
}

void Hub::keep_positions(int64_t now_ms) {
    positions_at_ms_ = now_ms + kPositionsMs;
    for (auto at = sessions_.begin(); at != sessions_.end();) {
        HubSession &held = *at->second;
        const std::string json = held.take_positions();
        accp_error err = {};
        accp_session *session = json.empty() ? nullptr : pool_.open(held.id(), err);
        if (session &&
            accp_session_put(session, HubSession::kPositions.data(), HubSession::kPositions.size(),
                             json.data(), json.size(), 0, &err) == ACCP_OK)
            taken_.insert(&held);
        const bool is_too_many = sessions_.size() > kMaxIdleSessions;
        const bool is_idle = held.is_idle() && !changed_.count(&held) && !taken_.count(&held);
        if (is_too_many && is_idle) at = sessions_.erase(at);
        else ++at;
    }
}

std::string Hub::why_failing() const {
    if (is_failing()) return "the store cannot be written";
    const auto ignore = [](accp_text, accp_text, accp_text, void *) { return 0; };
    accp_error err = {};
    const accp_status status = accp_store_status(pool_.store(), ignore, nullptr, &err);
    return status == ACCP_OK ? std::string() : host::message_of(err);
}

std::string Hub::print_metrics() const {
    std::string out = metrics_.print(pool_.engine());
    const std::pair<const char *, std::pair<const char *, uint64_t>> gauges[] = {
        {"accp_hub_websockets", {"WebSockets that are open.", sockets_.size()}},
        {"accp_hub_waiting_requests", {"HTTP requests that wait.", waiting_.size()}},
        {"accp_hub_sessions", {"Sessions that are known.", sessions_.size()}},
        {"accp_hub_gateways",
         {"Other gateways that are spoken with.", peers_ ? peers_->links().count() : 0}},
        {"accp_hub_away_connections",
         {"Connections that another gateway serves.", peers_ ? peers_->away_count() : 0}},
        {"accp_hub_store_fails", {"1: the store cannot be written.", is_failing()}}};
    for (const auto &[name, gauge] : gauges)
        Metrics::print_gauge(name, gauge.first, gauge.second, out);
    return out;
}

}  // namespace server
