// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Other gateways of the same store. A session has one owner: the gateway that has opened it for
// writing. The owner's name is stored in the session. Connections of other gateways are guests
// there, and are treated like the hub's own connections.
#include "server/hub/hub.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {
namespace {

using NoteKind = PeerNote::Kind;

constexpr std::string_view kOwnerKey = "ctx.gateway";  // key of the owner's name in the session
constexpr const char *kOwnerGone =
    "the gateway that owns this session cannot be reached: try again";
constexpr int kOwnerUnavailable = 503, kServiceRestart = 1012;
constexpr size_t kChecksPerTurn = 8;

std::string owner_in(accp_session *session, int64_t now_ms) {
    accp_text kept = {};
    accp_error err = {};
    return accp_session_resolve(session, kOwnerKey.data(), kOwnerKey.size(), nullptr, 0, now_ms,
                                &kept, &err) == ACCP_OK
               ? std::string(host::json_word(host::to_view(kept)))
               : std::string();
}

bool is_text(const std::string &id) {
    std::string json;
    host::append_json_string(id, json);
    try {
        host::compact_json(json);
    } catch (const host::Failure &) {
        return false;
    }
    return true;
}

Grant grant_of(const PeerNote &note) {
    Grant grant;
    grant.agents = note.agents;
    grant.sessions = {note.session};
    grant.is_trusted = note.is_trusted;
    grant.may_write = note.may_write;
    return grant;
}

PeerNote note_of(NoteKind kind, uint64_t connection, const Grant &grant, std::string_view session) {
    PeerNote note;
    note.kind = kind;
    note.connection = connection;
    note.session = session;
    note.agents = grant.agents;
    note.is_trusted = grant.is_trusted;
    note.may_write = grant.may_write;
    return note;
}

}  // namespace

void Hub::join_gateways(PeerBus &bus) {
    peers_ = std::make_unique<Peers>(bus);
    pool_.set_shared([this](const std::string &id, accp_session *session) { claim(id, session); });
}

// Stores this gateway as the owner of an opened session. The previous owner is notified after the
// commit.
void Hub::claim(const std::string &id, accp_session *session) {
    const std::string &self = peers_->links().self();
    const std::string before = owner_in(session, now_ms_);
    peers_->forget_owner(id);
    if (before == self) return;
    std::string json;
    host::append_json_string(self, json);
    accp_error err = {};
    if (accp_session_put(session, kOwnerKey.data(), kOwnerKey.size(), json.data(), json.size(), 0,
                         &err) == ACCP_OK)
        claims_.emplace_back(id, before);
}

void Hub::announce_claims(int64_t now_ms) {
    for (const auto &[session, before] : std::exchange(claims_, {})) {
        if (before.empty()) continue;
        PeerNote note;
        note.kind = NoteKind::kLost;
        note.session = session;
        peers_->links().queue(before, note, now_ms);
    }
}

std::string Hub::stored_owner(const std::string &session) {
    accp_error err = {};
    const host::Handle<accp_session> read = pool_.open_to_read(session, err);
    return read ? owner_in(read.get(), now_ms_) : std::string();
}

// Returns an empty name if this gateway owns the session or must take it.
std::string Hub::owner_of(const std::string &session) {
    if (!peers_ || owns_session(session) || !is_text(session)) return {};
    const PeerLinks &links = peers_->links();
    std::string owner = peers_->owner_of(session);
    if (owner.empty()) owner = stored_owner(session);
    if (owner.empty() || owner == links.self() || links.is_gone(owner)) return {};
    peers_->note_owner(session, owner);
    return owner;
}

void Hub::forward_post(std::string_view owner, uint64_t connection, const Grant &grant,
                       std::string_view session, std::string_view frame, std::string_view trace,
                       int64_t now_ms) {
    PeerNote note = note_of(NoteKind::kPost, connection, grant, session);
    note.text = frame;
    note.trace = trace;
    peers_->forward_call(owner, std::move(note), now_ms);
}

void Hub::forward_join(std::string_view owner, const Socket &socket, uint64_t connection,
                       int64_t now_ms) {
    PeerNote note = note_of(NoteKind::kJoin, connection, *socket.grant, socket.session);
    note.agent = socket.agent;
    note.sees_all = socket.sees_all;
    peers_->forward_call(owner, std::move(note), now_ms);
}

void Hub::receive_peer_events(int64_t now_ms) {
    for (const PeerEvent &event : peers_->links().receive(now_ms)) handle_peer_event(event, now_ms);
    if (!suspect_sessions_.empty()) check_suspect_sessions(now_ms);
}

void Hub::handle_peer_event(const PeerEvent &event, int64_t now_ms) {
    switch (event.kind) {
        case PeerEvent::Kind::kNote:
            return event.note.kind < NoteKind::kAnswer || event.note.kind == NoteKind::kLost
                       ? handle_peer_request(event.peer, event.note, now_ms)
                       : handle_peer_reply(event.peer, event.note, now_ms);
        case PeerEvent::Kind::kGone:
            peers_->forget_owners(event.peer);
            return end_link(event.peer, event.has_received_nothing, now_ms);
        case PeerEvent::Kind::kLost: return end_link(event.peer, false, now_ms);
        case PeerEvent::Kind::kSuspect:
            for (const auto &[id, held] : sessions_)
                if (!held->is_idle()) suspect_sessions_.push_back(id);
    }
}

// Handles a note for the owner of a session.
void Hub::handle_peer_request(const std::string &peer, const PeerNote &note, int64_t now_ms) {
    const bool begins = note.kind == NoteKind::kPost || note.kind == NoteKind::kJoin;
    if (note.kind == NoteKind::kLost) {
        peers_->note_owner(note.session, peer);
        const auto held = sessions_.find(note.session);
        if (held != sessions_.end()) end_lost(*held->second, now_ms);
        pool_.close(note.session);
    } else if (begins && !owns_session(note.session)) {
        PeerNote forwarded;
        forwarded.kind = NoteKind::kAway;
        forwarded.connection = note.connection;
        peers_->links().queue(peer, forwarded, now_ms);
    } else {
        serve_guest(peer, note, now_ms);
    }
}

void Hub::serve_guest(const std::string &peer, const PeerNote &note, int64_t now_ms) {
    if (note.kind == NoteKind::kPost)
        return post(peers_->add_guest(peer, note.connection), grant_of(note), note.session,
                    note.text, now_ms, note.trace);
    if (note.kind == NoteKind::kJoin) {
        const uint64_t number = peers_->add_guest(peer, note.connection);
        Socket &socket = sockets_[number];
        socket.grant = std::make_shared<const Grant>(grant_of(note));
        socket.session = note.session;
        socket.agent = note.agent;
        socket.sees_all = note.sees_all;
        socket.is_guest = true;
        return join(socket, number, now_ms);
    }
    const uint64_t number = peers_->find_guest(peer, note.connection);
    if (!number) return;
    if (note.kind == NoteKind::kHear) return on_frame(number, note.text, now_ms);
    if (note.kind == NoteKind::kPong) return pong(number, note.text);
    if (note.kind == NoteKind::kDrained) return drained(number);
    leave(number);
    peers_->end_guest(number);
}

// Handles a note of an owner to a connection of this gateway.
void Hub::handle_peer_reply(const std::string &peer, const PeerNote &note, int64_t now_ms) {
    ForwardedConnection *forwarded = peers_->find_forwarded(note.connection);
    if (!forwarded || forwarded->peer != peer) return;
    const uint64_t to = note.connection;
    if (note.kind == NoteKind::kAway) {
        const ForwardedConnection begun = *forwarded;
        peers_->end_forwarded(to);
        peers_->forget_owner(begun.call.session);
        if (stored_owner(begun.call.session) == peer)
            peers_->note_owner(begun.call.session, peers_->links().self());
        return restart_locally(to, begun, now_ms);
    }
    forwarded->is_answered = true;
    forwarded->call.text.clear();
    const int status = static_cast<int>(note.status);
    switch (note.kind) {
        case NoteKind::kAnswer: at_once_.push_back(HubEffect::answer(to, status, note.text)); break;
        case NoteKind::kPiece:
            at_once_.push_back(HubEffect::piece(to, {}, note.is_last));
            at_once_.back().text = note.text;
            break;
        case NoteKind::kSend: at_once_.push_back(HubEffect::send(to, note.text)); break;
        case NoteKind::kPing: at_once_.push_back(HubEffect::ping(to, note.text)); break;
        default: at_once_.push_back(HubEffect::close(to, status, note.text)); break;
    }
    if (note.ends_request()) peers_->end_forwarded(to);
}

// Starts a forwarded call here, if the other gateway has done nothing for it.
void Hub::restart_locally(uint64_t connection, const ForwardedConnection &forwarded,
                          int64_t now_ms) {
    const PeerNote &call = forwarded.call;
    if (!forwarded.is_socket())
        return post(connection, grant_of(call), call.session, call.text, now_ms, call.trace);
    const auto socket = sockets_.find(connection);
    if (socket != sockets_.end()) join(socket->second, connection, now_ms);
}

// A gateway is gone, or messages between it and this one were lost.
void Hub::end_link(const std::string &peer, bool has_received_nothing, int64_t now_ms) {
    for (const uint64_t number : peers_->guests_of(peer)) {
        leave(number);
        peers_->end_guest(number);
    }
    for (const auto &[connection, forwarded] : peers_->take_forwarded_to(peer)) {
        if (has_received_nothing && !forwarded.is_answered)
            restart_locally(connection, forwarded, now_ms);
        else end_forwarded(connection, forwarded.is_socket(), kOwnerGone, now_ms);
    }
}

void Hub::end_forwarded(uint64_t connection, bool is_socket, const char *why, int64_t now_ms) {
    at_once_.push_back(
        is_socket ? HubEffect::close(connection, kServiceRestart, why)
                  : HubEffect::answer(connection, kOwnerUnavailable,
                                      own_frames_.error(ACCP_ERR_CLOSED, why, {}, now_ms)));
}

void Hub::end_waiting_forwarded(int64_t now_ms) {
    for (const uint64_t connection : peers_->waiting_forwarded()) {
        peers_->end_forwarded(connection);
        end_forwarded(connection, false, "the hub is shutting down: try again", now_ms);
    }
}

// Closes the connections to sessions that another gateway has taken over.
void Hub::check_suspect_sessions(int64_t now_ms) {
    for (size_t i = 0; i < kChecksPerTurn && !suspect_sessions_.empty(); ++i) {
        const std::string id = std::move(suspect_sessions_.back());
        suspect_sessions_.pop_back();
        const auto held = sessions_.find(id);
        if (held == sessions_.end()) continue;
        const std::string owner = stored_owner(id);
        if (!owner.empty() && owner != peers_->links().self()) end_lost(*held->second, now_ms);
    }
}

void Hub::forward_effects(std::vector<HubEffect> &effects, int64_t now_ms) {
    std::erase_if(effects,
                  [&](const HubEffect &effect) { return peers_->forward_effect(effect, now_ms); });
    peers_->links().flush(now_ms);
}

}  // namespace server
