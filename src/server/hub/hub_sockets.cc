// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The events of WebSockets.

#include <cstdlib>

#include "server/hub/hub.h"
#include "server/library/failure.h"

namespace server {

void Hub::open(uint64_t connection, std::shared_ptr<const Grant> grant, std::string_view session,
               bool sees_all, int64_t now_ms) {
    Socket &socket = sockets_[connection];
    socket.grant = std::move(grant);
    socket.session = session;
    socket.sees_all = sees_all;
    socket.ping_at_ms = now_ms + rules_.handshake_ms;
}

void Hub::on_frame(uint64_t connection, std::string_view frame, int64_t now_ms) {
    const auto found = sockets_.find(connection);
    if (found == sockets_.end()) return;
    Socket &socket = found->second;
    socket.missed = 0;
    FrameFacts facts;
    accp_error err = {};
    const auto refused = [&] { refuse(connection, err, facts, socket.session, now_ms); };
    if (reader_.read(frame, facts, err) != ACCP_OK) return refused();
    if (!socket.has_joined || facts.is_registry())
        return negotiate(socket, connection, facts, now_ms);
    if (facts.intent == "pong") return;
    if (facts.intent == "ping") {
        held_.push_back(HubEffect::send(connection, own_frames_.pong(facts.mid, now_ms)));
        return;
    }
    if (!may_speak(*socket.grant, err)) return refused();
    if (peers_ && peers_->forward_event(connection, PeerNote::Kind::kHear, frame, now_ms)) return;
    HubSession *held = find(socket.session, now_ms, err);
    if (!held) return refused();
    const accp_status status =
        receive_frame(*held, frame, Origin(*socket.grant, socket.agent), now_ms, err);
    if (status != ACCP_OK && status != ACCP_DROPPED) return refused();
    log_frame(facts, socket.session, status, now_ms);
    if (status != ACCP_OK) return;
    if (held->may_be_unanswered(facts)) {
        held->note_unanswered(facts, now_ms + rules_.wait_ms);
        schedule_overdue_check(*held, now_ms + rules_.wait_ms);
    }
    answer_route(*held, facts, frame, Origin(*socket.grant), now_ms);
}

// Handles the first frames of a connection. For a frame by HTTP it sends one reply.
void Hub::negotiate(Socket &socket, uint64_t connection, const FrameFacts &facts, int64_t now_ms) {
    constexpr int kPolicy = 1008;
    const bool is_http = !socket.grant;
    const std::string agent(facts.agent);
    accp_error err = {};
    const auto end = [&](accp_status code, const char *why) {
        refuse(connection, host::error_of(code, why), facts, socket.session, now_ms);
        if (!is_http) held_.push_back(HubEffect::close(connection, kPolicy, why));
    };
    if (!facts.is_registry())
        return end(ACCP_E1003, "the first frame of a connection must be sync:registry");
    if (!is_http && !socket.has_joined) {
        const std::string id = session_of(facts, socket.session, *socket.grant, err);
        if (id.empty()) return end(err.code, err.message);
        if (!socket.grant->allows_agent(agent) || agent == rules_.agent)
            return end(ACCP_E5001, "this token may not send as this agent");
        if (!socket.agent.empty() && socket.agent != agent)
            return end(ACCP_E5001, "this connection belongs to another agent");
        socket.session = id;
        socket.agent = agent;
    }
    if (!socket.handshake || !socket.handshake->is_open())
        socket.handshake.emplace(rules_.agent, config_, registry_hash_);
    if (socket.handshake->receive(reader_.frame(), err) != ACCP_OK)
        refuse(connection, err, facts, socket.session, now_ms);
    std::string frames;
    for (const std::string &frame : socket.handshake->take_frames()) {
        const std::string whole = own_frames_.with_meta(frame, now_ms);
        if (!is_http) held_.push_back(HubEffect::send(connection, whole));
        else frames.append(frames.empty() ? "" : "\n").append(whole);
    }
    if (is_http && err.code == ACCP_OK) held_.push_back(HubEffect::answer(connection, 200, frames));
    if (is_http || socket.handshake->is_open() || socket.has_joined) return;
    if (!socket.handshake->is_agreed())
        return end(ACCP_E1003,
                   "the hub uses another registry: start it with your document, --registry");
    join(socket, connection, now_ms);
}

void Hub::join(Socket &socket, uint64_t connection, int64_t now_ms) {
    socket.handshake.reset();
    socket.ping_at_ms = now_ms + rules_.ping_ms;
    if (const std::string owner = owner_of(socket.session); !owner.empty()) {
        socket.has_joined = true;
        return forward_join(owner, socket, connection, now_ms);
    }
    accp_error err = {};
    HubSession *held = find_for(*socket.grant, socket.session, {}, now_ms, err);
    if (held && !held->has_space_for(socket.agent))
        err = host::error_of(ACCP_E2003, "too many agents have connected to this session");
    if (err.code != ACCP_OK) {
        constexpr int kInternal = 1011;
        refuse(connection, err, {}, socket.session, now_ms);
        held_.push_back(HubEffect::close(connection, kInternal, "the session cannot be opened"));
        return;
    }
    socket.has_joined = true;
    held->join(socket.agent, connection, socket.sees_all, held_);
    changed_.insert(held);
}

void Hub::pong(uint64_t connection, std::string_view payload) {
    const auto found = sockets_.find(connection);
    if (found == sockets_.end()) return;
    found->second.missed = 0;
    const uint64_t record = std::strtoull(std::string(payload).c_str(), nullptr, 10);
    if (peers_ &&
        peers_->forward_event(connection, PeerNote::Kind::kPong, std::to_string(record), now_ms_))
        return;
    const auto held = sessions_.find(found->second.session);
    if (held == sessions_.end()) return;
    held->second->confirm(connection, record);
    changed_.insert(held->second.get());
}

void Hub::drained(uint64_t connection) {
    const auto found = sockets_.find(connection);
    if (found == sockets_.end() || !found->second.has_joined) return;
    if (peers_ && peers_->forward_event(connection, PeerNote::Kind::kDrained, {}, now_ms_)) return;
    const auto held = sessions_.find(found->second.session);
    if (held == sessions_.end()) return;
    held->second->drained(connection);
    changed_.insert(held->second.get());
}

void Hub::leave(uint64_t connection) {
    if (peers_ && peers_->forward_event(connection, PeerNote::Kind::kLeave, {}, now_ms_))
        peers_->end_forwarded(connection);
    const auto waiting = waiting_.find(connection);
    if (waiting != waiting_.end()) {
        waiting->second->leave(connection);
        waiting_.erase(waiting);
    }
    const auto found = sockets_.find(connection);
    if (found == sockets_.end()) return;
    const auto held = sessions_.find(found->second.session);
    if (held != sessions_.end()) held->second->leave(connection);
    sockets_.erase(found);
}

}  // namespace server
