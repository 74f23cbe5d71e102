// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub.h: who is told that it is over, and why.
#include "server/library/failure.h"
#include "server/hub/hub.h"

namespace server {

// Nobody knows what becomes of what was taken: who says it again is told, once that is known.
void Hub::refuse_promised(int64_t now_ms) {
    constexpr int kUnavailable = 503;
    std::erase_if(held_, [&](const HubEffect &effect) { return promised_.count(effect.to) != 0; });
    for (const auto &[connection, held] : std::exchange(promised_, {}))
        at_once_.push_back(HubEffect::answer(
            connection, kUnavailable,
            words_.error(ACCP_ERR_IO, "the store cannot be written: say it again later", {},
                         now_ms)));
}

// A session that another process has taken over meanwhile has lost what was said here since the
// last commit, and the store's own sync does not say so; nor does a handle that was opened since.
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

// Whoever was to be told that it is safe is told that it is not; the next frame opens the session
// anew.
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
        held_.push_back(is_socket
                            ? HubEffect::close(connection, kRestarts, kWhy)
                            : HubEffect::answer(connection, kUnavailable,
                                                words_.error(ACCP_ERR_CLOSED, kWhy, {}, now_ms)));
    }
    const auto is_its = [&](const auto &one) { return one.second == &held; };
    std::erase_if(waiting_, is_its);
    std::erase_if(promised_, is_its);
    for (auto *sessions : {&changed_, &taken_, &lost_}) sessions->erase(&held);
    pool_.close(held.id());
    sessions_.erase(std::string(held.id()));
}

// Who has been silent for long is asked, and closed when it does not answer twice.
void Hub::beat(int64_t now_ms) {
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
            held_.push_back(HubEffect::send(connection, words_.ping(now_ms)));
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
            words_.error(ACCP_ERR_CLOSED, "the hub is going down; ask again", {}, now_ms)));
    }
    for (const auto &[connection, socket] : sockets_)
        held_.push_back(HubEffect::close(connection, kGoingAway, "the hub is going down"));
    if (peers_) end_waiting_away(now_ms);
    positions_at_ms_ = 0;
}

}  // namespace server
