// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub.h: other gateways of the same store. A session has one home: the gateway that has opened
// it to write, whose name is kept in the session. Connections of other gateways are guests there;
// what a hub does for a connection of its own it does for a guest.
#include "server/hub/hub.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {
namespace {

using NoteKind = PeerNote::Kind;

constexpr std::string_view kHome = "ctx.gateway";  // under which its home's name is kept
constexpr const char *kGone = "the gateway that has this session cannot be reached: try again";
constexpr int kNoHome = 503, kHomeMoved = 1012;
constexpr size_t kChecksPerTurn = 8;

std::string home_in(accp_session *session, int64_t now_ms) {
    accp_text kept = {};
    accp_error err = {};
    return accp_session_resolve(session, kHome.data(), kHome.size(), nullptr, 0, now_ms, &kept,
                                &err) == ACCP_OK
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
    pool_.share([this](const std::string &id, accp_session *session) { claim(id, session); });
}

// Whoever opens a session says that it is found here; who had it is told once that is durable.
void Hub::claim(const std::string &id, accp_session *session) {
    const std::string &self = peers_->links().self();
    const std::string before = home_in(session, now_ms_);
    peers_->forget_home(id);
    if (before == self) return;
    std::string json;
    host::append_json_string(self, json);
    accp_error err = {};
    if (accp_session_put(session, kHome.data(), kHome.size(), json.data(), json.size(), 0, &err) ==
        ACCP_OK)
        claims_.emplace_back(id, before);
}

void Hub::tell_claims(int64_t now_ms) {
    for (const auto &[session, before] : std::exchange(claims_, {})) {
        if (before.empty()) continue;
        PeerNote note;
        note.kind = NoteKind::kLost;
        note.session = session;
        peers_->links().say(before, note, now_ms);
    }
}

std::string Hub::kept_home(const std::string &session) {
    accp_error err = {};
    const host::Handle<accp_session> read = pool_.open_to_read(session, err);
    return read ? home_in(read.get(), now_ms_) : std::string();
}

// Empty: this gateway has the session, or is to take it.
std::string Hub::home_of(const std::string &session) {
    if (!peers_ || has_here(session) || !is_text(session)) return {};
    const PeerLinks &links = peers_->links();
    std::string home = peers_->home_of(session);
    if (home.empty()) home = kept_home(session);
    if (home.empty() || home == links.self() || links.is_gone(home)) return {};
    peers_->note_home(session, home);
    return home;
}

void Hub::post_away(std::string_view home, uint64_t connection, const Grant &grant,
                    std::string_view session, std::string_view frame, std::string_view trace,
                    int64_t now_ms) {
    PeerNote note = note_of(NoteKind::kPost, connection, grant, session);
    note.text = frame;
    note.trace = trace;
    peers_->send_away(home, std::move(note), now_ms);
}

void Hub::join_away(std::string_view home, const Socket &socket, uint64_t connection,
                    int64_t now_ms) {
    PeerNote note = note_of(NoteKind::kJoin, connection, *socket.grant, socket.session);
    note.agent = socket.agent;
    note.sees_all = socket.sees_all;
    peers_->send_away(home, std::move(note), now_ms);
}

void Hub::hear_peers(int64_t now_ms) {
    for (const PeerEvent &event : peers_->links().hear(now_ms)) hear_peer(event, now_ms);
    if (!doubted_.empty()) check_doubted(now_ms);
}

void Hub::hear_peer(const PeerEvent &event, int64_t now_ms) {
    switch (event.kind) {
        case PeerEvent::Kind::kNote:
            return event.note.kind < NoteKind::kAnswer || event.note.kind == NoteKind::kLost
                       ? serve(event.peer, event.note, now_ms)
                       : take_back(event.peer, event.note, now_ms);
        case PeerEvent::Kind::kGone:
            peers_->forget_homes(event.peer);
            return end_link(event.peer, event.got_nothing, now_ms);
        case PeerEvent::Kind::kLost: return end_link(event.peer, false, now_ms);
        case PeerEvent::Kind::kDoubt:
            for (const auto &[id, held] : sessions_)
                if (!held->is_idle()) doubted_.push_back(id);
    }
}

// What another gateway asks for.
void Hub::serve(const std::string &peer, const PeerNote &note, int64_t now_ms) {
    const bool begins = note.kind == NoteKind::kPost || note.kind == NoteKind::kJoin;
    if (note.kind == NoteKind::kLost) {
        peers_->note_home(note.session, peer);
        const auto held = sessions_.find(note.session);
        if (held != sessions_.end()) end_lost(*held->second, now_ms);
        pool_.close(note.session);
    } else if (begins && !has_here(note.session)) {
        PeerNote away;
        away.kind = NoteKind::kAway;
        away.connection = note.connection;
        peers_->links().say(peer, away, now_ms);
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
    if (note.kind == NoteKind::kHear) return hear(number, note.text, now_ms);
    if (note.kind == NoteKind::kPong) return pong(number, note.text);
    if (note.kind == NoteKind::kDrained) return drained(number);
    leave(number);
    peers_->end_guest(number);
}

// What another gateway says to a connection of this one.
void Hub::take_back(const std::string &peer, const PeerNote &note, int64_t now_ms) {
    AwayConnection *away = peers_->find_away(note.connection);
    if (!away || away->peer != peer) return;
    const uint64_t to = note.connection;
    if (note.kind == NoteKind::kAway) {
        const AwayConnection begun = *away;
        peers_->end_away(to);
        peers_->forget_home(begun.call.session);
        if (kept_home(begun.call.session) == peer)
            peers_->note_home(begun.call.session, peers_->links().self());
        return begin_again(to, begun, now_ms);
    }
    away->is_answered = true;
    away->call.text.clear();
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
    if (note.ends_request()) peers_->end_away(to);
}

// Nothing was done of what a connection asked for.
void Hub::begin_again(uint64_t connection, const AwayConnection &away, int64_t now_ms) {
    const PeerNote &call = away.call;
    if (!away.is_socket())
        return post(connection, grant_of(call), call.session, call.text, now_ms, call.trace);
    const auto socket = sockets_.find(connection);
    if (socket != sockets_.end()) join(socket->second, connection, now_ms);
}

// A gateway is gone, or something between it and this one was lost.
void Hub::end_link(const std::string &peer, bool got_nothing, int64_t now_ms) {
    for (const uint64_t number : peers_->guests_of(peer)) {
        leave(number);
        peers_->end_guest(number);
    }
    for (const auto &[connection, away] : peers_->take_away_at(peer)) {
        if (got_nothing && !away.is_answered) begin_again(connection, away, now_ms);
        else end_away(connection, away.is_socket(), kGone, now_ms);
    }
}

void Hub::end_away(uint64_t connection, bool is_socket, const char *why, int64_t now_ms) {
    at_once_.push_back(is_socket
                           ? HubEffect::close(connection, kHomeMoved, why)
                           : HubEffect::answer(connection, kNoHome,
                                               words_.error(ACCP_ERR_CLOSED, why, {}, now_ms)));
}

void Hub::end_waiting_away(int64_t now_ms) {
    for (const uint64_t connection : peers_->waiting_away()) {
        peers_->end_away(connection);
        end_away(connection, false, "the hub is going down; ask again", now_ms);
    }
}

// Whoever is connected to a session that another gateway has is told to come again.
void Hub::check_doubted(int64_t now_ms) {
    for (size_t i = 0; i < kChecksPerTurn && !doubted_.empty(); ++i) {
        const std::string id = std::move(doubted_.back());
        doubted_.pop_back();
        const auto held = sessions_.find(id);
        if (held == sessions_.end()) continue;
        const std::string home = kept_home(id);
        if (!home.empty() && home != peers_->links().self()) end_lost(*held->second, now_ms);
    }
}

void Hub::carry(std::vector<HubEffect> &effects, int64_t now_ms) {
    std::erase_if(effects, [&](const HubEffect &effect) { return peers_->carry(effect, now_ms); });
    peers_->links().flush(now_ms);
}

}  // namespace server
