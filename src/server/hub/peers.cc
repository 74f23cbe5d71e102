// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/peers.h"

namespace server {
namespace {

constexpr size_t kMaxOwners = 65'536;

PeerNote note_of(const HubEffect &effect, uint64_t connection) {
    using Effect = HubEffect::Kind;
    using NoteKind = PeerNote::Kind;
    PeerNote note;
    switch (effect.kind) {
        case Effect::kAnswer: note.kind = NoteKind::kAnswer; break;
        case Effect::kPiece: note.kind = NoteKind::kPiece; break;
        case Effect::kPing: note.kind = NoteKind::kPing; break;
        case Effect::kClose: note.kind = NoteKind::kClose; break;
        case Effect::kSend:
        case Effect::kFrame: note.kind = NoteKind::kSend; break;
    }
    note.connection = connection;
    note.status = effect.status;
    note.is_last = effect.is_last;
    note.text = effect.text;
    return note;
}

// Replaces an effect that fits no message.
PeerNote too_long(const HubEffect &effect, uint64_t connection) {
    constexpr int kUnavailable = 503, kTooBig = 1009;
    PeerNote note;
    const bool is_socket = effect.kind == HubEffect::Kind::kSend;
    note.kind = is_socket ? PeerNote::Kind::kClose : PeerNote::Kind::kAnswer;
    note.connection = connection;
    note.status = is_socket ? kTooBig : kUnavailable;
    note.is_last = true;
    note.text = is_socket ? "a frame is too long to pass between gateways" : "";
    return note;
}

}  // namespace

std::string Peers::owner_of(const std::string &session) const {
    const auto found = owners_.find(session);
    return found != owners_.end() ? found->second : std::string();
}

void Peers::note_owner(const std::string &session, std::string_view peer) {
    if (owners_.size() >= kMaxOwners) owners_.clear();
    owners_[session] = peer;
}

void Peers::forget_owners(std::string_view peer) {
    std::erase_if(owners_, [&](const auto &one) { return one.second == peer; });
}

void Peers::forward_call(std::string_view peer, PeerNote call, int64_t now_ms) {
    links_.queue(peer, call, now_ms);
    ForwardedConnection forwarded{std::string(peer), std::move(call)};
    waiting_ += !forwarded.is_socket();
    ++forwarded_to_[forwarded.peer];
    const uint64_t connection = forwarded.call.connection;
    forwarded_.insert_or_assign(connection, std::move(forwarded));
}

ForwardedConnection *Peers::find_forwarded(uint64_t connection) {
    const auto found = forwarded_.find(connection);
    return found != forwarded_.end() ? &found->second : nullptr;
}

bool Peers::forward_event(uint64_t connection, PeerNote::Kind kind, std::string_view text,
                          int64_t now_ms) {
    const ForwardedConnection *forwarded = find_forwarded(connection);
    if (!forwarded) return false;
    PeerNote note;
    note.kind = kind;
    note.connection = connection;
    note.text = text;
    links_.queue(forwarded->peer, note, now_ms);
    return true;
}

void Peers::end_forwarded(uint64_t connection) {
    const auto found = forwarded_.find(connection);
    if (found == forwarded_.end()) return;
    waiting_ -= !found->second.is_socket();
    const auto count = forwarded_to_.find(found->second.peer);
    if (--count->second == 0) forwarded_to_.erase(count);
    forwarded_.erase(found);
}

std::vector<uint64_t> Peers::waiting_forwarded() const {
    std::vector<uint64_t> all;
    for (const auto &[connection, forwarded] : forwarded_)
        if (!forwarded.is_socket()) all.push_back(connection);
    return all;
}

std::vector<std::pair<uint64_t, ForwardedConnection>> Peers::take_forwarded_to(
    std::string_view peer) {
    std::vector<std::pair<uint64_t, ForwardedConnection>> taken;
    for (const auto &[connection, forwarded] : forwarded_)
        if (forwarded.peer == peer) taken.emplace_back(connection, forwarded);
    for (const auto &[connection, forwarded] : taken) end_forwarded(connection);
    return taken;
}

uint64_t Peers::find_guest(const std::string &peer, uint64_t connection) const {
    const auto of_peer = guests_.find(peer);
    if (of_peer == guests_.end()) return 0;
    const auto found = of_peer->second.find(connection);
    return found != of_peer->second.end() ? found->second : 0;
}

uint64_t Peers::add_guest(const std::string &peer, uint64_t connection) {
    const auto [at, is_new] = guests_[peer].try_emplace(connection);
    if (is_new) {
        at->second = ++last_guest_;
        guest_of_.emplace(last_guest_, std::pair(peer, connection));
    }
    return at->second;
}

void Peers::end_guest(uint64_t number) {
    const auto found = guest_of_.find(number);
    if (found == guest_of_.end()) return;
    const auto peer = guests_.find(found->second.first);
    peer->second.erase(found->second.second);
    if (peer->second.empty()) guests_.erase(peer);
    guest_of_.erase(found);
}

std::vector<uint64_t> Peers::guests_of(const std::string &peer) const {
    std::vector<uint64_t> numbers;
    const auto found = guests_.find(peer);
    if (found == guests_.end()) return numbers;
    for (const auto &[connection, number] : found->second) numbers.push_back(number);
    return numbers;
}

bool Peers::forward_effect(const HubEffect &effect, int64_t now_ms) {
    if (!is_guest(effect.to)) return false;
    const auto found = guest_of_.find(effect.to);
    if (found == guest_of_.end()) return true;  // it has left
    const auto [peer, connection] = found->second;
    const bool fits = links_.has_space_for(effect.text.size());
    const PeerNote note = fits ? note_of(effect, connection) : too_long(effect, connection);
    links_.queue(peer, note, now_ms);
    if (note.ends_request()) end_guest(effect.to);
    return true;
}

}  // namespace server
