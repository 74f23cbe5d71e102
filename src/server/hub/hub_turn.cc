// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The work of a turn.

#include "server/hub/hub.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {
namespace {

constexpr int64_t kPositionsMs = 1000;  // between two writes of the agents' positions
constexpr int64_t kBeatMs = 1000;       // between two checks for silent connections
constexpr int64_t kMaxHeldMs = 1000;    // that a reply waits for a failing store
constexpr int64_t kRetryMs = 200;       // between two tries of a failing store
constexpr size_t kMaxIdleSessions = 4096;

}  // namespace

bool Hub::turn(int64_t now_ms, std::vector<HubEffect> &effects) {
    now_ms_ = now_ms;
    if (peers_) receive_peer_events(now_ms);
    const size_t before = effects.size();
    const bool has_more = run_local_turn(now_ms, effects) && effects.size() > before;
    for (size_t i = before; i < effects.size(); ++i)
        if (effects[i].is_last) waiting_.erase(effects[i].to);
    if (peers_) forward_effects(effects, now_ms);
    return has_more;
}

bool Hub::run_local_turn(int64_t now_ms, std::vector<HubEffect> &effects) {
    if (beat_at_ms_ <= now_ms) {
        beat_at_ms_ = now_ms + kBeatMs;
        send_pings(now_ms);
    }
    report_overdue(now_ms);
    if (positions_at_ms_ <= now_ms) store_positions(now_ms);
    const auto send = [&effects](std::vector<HubEffect> &some) {
        effects.insert(effects.end(), std::move_iterator(some.begin()),
                       std::move_iterator(some.end()));
        some.clear();
    };
    const bool is_durable = commit(now_ms);
    send(at_once_);
    if (!is_durable) return false;
    send(held_);
    return pass_on(effects);
}

// Makes all frames durable before any reply is sent. A failing store is tried again at intervals.
bool Hub::commit(int64_t now_ms) {
    if (taken_.empty() && claims_.empty() && !is_store_failing()) return true;
    if (failed_at_ms_ && now_ms - failed_at_ms_ >= kMaxHeldMs) refuse_promised(now_ms);
    if (retry_at_ms_ > now_ms) return false;
    accp_error err = {};
    const accp_status status = pool_.sync(err);
    metrics_.syncs_took.add(pool_.sync_us());
    if (status == ACCP_OK) {
        retry_at_ms_ = failed_at_ms_ = 0;
        end_lost(now_ms);
        announce_claims(now_ms);
        return true;
    }
    retry_at_ms_ = now_ms + kRetryMs;
    if (!failed_at_ms_) failed_at_ms_ = now_ms;
    return false;
}

bool Hub::pass_on(std::vector<HubEffect> &effects) {
    using PassedOn = HubSession::PassedOn;
    if (reread_at_ms_ > now_ms_) return false;
    reread_at_ms_ = 0;
    std::unordered_set<HubSession *> changed;
    changed.swap(changed_);
    bool has_more = false;
    for (HubSession *held : changed) {
        accp_error err = {};
        accp_session *session = pool_.open(held->id(), err);
        const PassedOn passed =
            session ? held->pass_on(session, log_reader_, effects) : PassedOn::kUnreadable;
        if (passed == PassedOn::kAll) continue;
        changed_.insert(held);
        if (passed == PassedOn::kMore) has_more = true;
        else reread_at_ms_ = now_ms_ + kRetryMs;
    }
    return has_more && !reread_at_ms_;
}

// Sends a frame of the session to each HTTP request that is overdue.
void Hub::report_overdue(int64_t now_ms) {
    for (; !overdue_.empty() && overdue_.front().first <= now_ms; overdue_.pop_front()) {
        const auto found = sessions_.find(overdue_.front().second);
        if (found != sessions_.end()) report_overdue(*found->second, now_ms);
    }
}

void Hub::report_overdue(HubSession &held, int64_t now_ms) {
    std::vector<HubEffect> ended;
    for (const HubSession::OverdueChain &late : held.take_overdue(now_ms)) {
        if (!is_store_failing() &&
            (append_own(held, wait_message(late), now_ms) ||
             append_own(held, wait_message({late.chain, late.agent, late.operation}), now_ms)))
            continue;
        constexpr const char *kWhy = "no agent has replied yet: try again later";
        held.end_overdue(late.chain, own_frames_.error(ACCP_ERR_BUSY, kWhy, {}, now_ms), ended);
    }
    for (HubEffect &effect : ended) {
        waiting_.erase(effect.to);
        promised_.erase(effect.to);
        (is_store_failing() ? at_once_ : held_).push_back(std::move(effect));
    }
}

std::string Hub::wait_message(const HubSession::OverdueChain &late) const {
    host::JsonObject payload;
    payload.text("target", late.agent);
    if (!late.why.empty()) payload.text("msg", late.why);
    host::JsonList known;
    for (const std::string &name : late.known) known.text(name);
    if (!late.known.empty()) payload.json("known", known.end());
    return host::JsonObject()
        .text("agent", own_frames_.agent())
        .text("intent", "wait")
        .text("operation", late.operation)
        .json("payload", payload.end())
        .json("meta", host::JsonObject().text("cid", late.chain).end())
        .end();
}

// Appends a message of the hub to a session. Returns false if the session refuses it.
bool Hub::append_own(HubSession &held, std::string_view message, int64_t now_ms) {
    accp_error err = {};
    accp_text frame = {};
    accp_session *session = pool_.open(held.id(), err);
    const bool is_appended = session && accp_session_send(session, message.data(), message.size(),
                                                          now_ms, &frame, &err) == ACCP_OK;
    if (is_appended) mark_changed(held);
    return is_appended;
}

// The reply quotes the request.
void Hub::answer_route(HubSession &held, const FrameFacts &facts, std::string_view frame,
                       const Origin &origin, int64_t now_ms) {
    const bool is_for_us = facts.target.empty() || facts.target == rules_.agent;
    if (!spawner_ || facts.intent != "req" || facts.operation != "route" || !is_for_us) return;
    const std::string answer = spawner_->answer_frame(frame, rules_.agent, facts.chain());
    if (answer.empty() || append_own(held, origin.quoting(answer), now_ms)) return;
    const char *why = "the reply is too long for a frame: use POST /sacp/v1/spawn";
    append_own(held,
               host::JsonObject()
                   .text("agent", rules_.agent)
                   .text("intent", "fail")
                   .text("operation", facts.operation)
                   .json("payload", host::JsonObject().text("msg", why).end())
                   .json("meta", host::JsonObject().text("cid", facts.chain()).end())
                   .end(),
               now_ms);
}

void Hub::store_positions(int64_t now_ms) {
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

std::string Hub::failure_reason() const {
    if (is_store_failing()) return "the store cannot be written";
    if (reread_at_ms_) return "the store cannot be read";
    const auto ignore = [](accp_text, accp_text, accp_text, void *) { return 0; };
    accp_error err = {};
    const accp_status status = accp_store_each_property(pool_.store(), ignore, nullptr, &err);
    return status == ACCP_OK ? std::string() : host::message_of(err);
}

std::string Hub::print_metrics() const {
    std::string out = metrics_.print(pool_.engine());
    const std::pair<const char *, std::pair<const char *, uint64_t>> gauges[] = {
        {"accp_hub_websockets", {"Open WebSockets.", sockets_.size()}},
        {"accp_hub_waiting_requests", {"Waiting HTTP requests.", waiting_.size()}},
        {"accp_hub_sessions", {"Sessions in memory.", sessions_.size()}},
        {"accp_hub_gateways", {"Linked gateways.", peers_ ? peers_->links().count() : 0}},
        {"accp_hub_away_connections",
         {"Connections that another gateway serves.", peers_ ? peers_->forwarded_count() : 0}},
        {"accp_hub_store_fails", {"1: the store cannot be written.", is_store_failing()}}};
    for (const auto &[name, gauge] : gauges) print_gauge(name, gauge.first, gauge.second, out);
    return out;
}

// The store has failed for too long. It is unknown whether the received frames become durable, so
// their senders get an error.
void Hub::refuse_promised(int64_t now_ms) {
    constexpr int kUnavailable = 503;
    std::erase_if(held_, [&](const HubEffect &effect) { return promised_.count(effect.to) != 0; });
    for (const auto &[connection, held] : std::exchange(promised_, {})) {
        if (waiting_.erase(connection)) held->leave(connection);
        at_once_.push_back(HubEffect::answer(
            connection, kUnavailable,
            own_frames_.error(ACCP_ERR_IO,
                              "the store cannot be written: send the frame again later", {},
                              now_ms)));
    }
}

// Another process may have taken over a session since the last commit; its new frames are lost
// then. Neither the store's sync nor a handle opened later reports this.
void Hub::end_lost(int64_t now_ms) {
    for (HubSession *held : std::exchange(taken_, {})) {
        accp_session *session = pool_.find(held->id());
        accp_error err = {};
        if (lost_.count(held) || (session && accp_session_sync(session, &err) == ACCP_ERR_CLOSED))
            end_lost(*held, now_ms);
    }
    lost_.clear();
    promised_.clear();
}

// Sends an error to all that wait for the session. The next frame opens the session again.
void Hub::end_lost(HubSession &held, int64_t now_ms) {
    constexpr int kRestarts = 1012, kUnavailable = 503;
    constexpr const char *kWhy = "another process has taken this session over: try again";
    std::unordered_set<uint64_t> theirs;
    for (const auto &[connection, of] : promised_)
        if (of == &held) theirs.insert(connection);
    for (const auto &[connection, of] : waiting_)
        if (of == &held) theirs.insert(connection);
    for (const auto &[connection, socket] : sockets_)
        if (socket.session == held.id()) theirs.insert(connection);
    std::erase_if(held_, [&](const HubEffect &effect) { return theirs.count(effect.to) != 0; });
    for (const uint64_t connection : theirs) {
        const bool is_socket = sockets_.count(connection) != 0;
        held_.push_back(
            is_socket ? HubEffect::close(connection, kRestarts, kWhy)
                      : HubEffect::answer(connection, kUnavailable,
                                          own_frames_.error(ACCP_ERR_CLOSED, kWhy, {}, now_ms)));
    }
    const auto is_its = [&](const auto &one) { return one.second == &held; };
    std::erase_if(waiting_, is_its);
    std::erase_if(promised_, is_its);
    for (auto *sessions : {&changed_, &taken_, &lost_}) sessions->erase(&held);
    pool_.close(held.id());
    sessions_.erase(std::string(held.id()));
}

// Pings silent connections, and closes them after two missed pings.
void Hub::send_pings(int64_t now_ms) {
    constexpr int kGoingAway = 1001, kPolicy = 1008, kMaxMissed = 2;
    for (auto &[connection, socket] : sockets_) {
        if (socket.ping_at_ms > now_ms || socket.is_guest) continue;
        socket.ping_at_ms = now_ms + rules_.ping_ms;
        if (!socket.has_joined) {
            held_.push_back(HubEffect::close(connection, kPolicy, "no sync:registry in time"));
        } else if (socket.missed >= kMaxMissed) {
            held_.push_back(
                HubEffect::close(connection, kGoingAway, "two pings were not answered"));
        } else {
            ++socket.missed;
            held_.push_back(HubEffect::send(connection, own_frames_.ping(now_ms)));
        }
    }
}

void Hub::close_sockets(const std::function<bool(const Grant &)> &is_over) {
    constexpr int kPolicy = 1008;
    for (const auto &[connection, socket] : sockets_)
        if (!socket.is_guest && is_over(*socket.grant))
            at_once_.push_back(
                HubEffect::close(connection, kPolicy, "the rights of this token have changed"));
}

void Hub::shut_down(int64_t now_ms) {
    constexpr int kGoingAway = 1001;
    for (const auto &[connection, held] : waiting_) {
        held->leave(connection);
        held_.push_back(HubEffect::answer(
            connection, 503,
            own_frames_.error(ACCP_ERR_CLOSED, "the hub is shutting down: try again", {}, now_ms)));
    }
    for (const auto &[connection, socket] : sockets_)
        held_.push_back(HubEffect::close(connection, kGoingAway, "the hub is shutting down"));
    if (peers_) end_waiting_forwarded(now_ms);
    positions_at_ms_ = 0;
}

}  // namespace server
