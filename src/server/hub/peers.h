// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The other gateways of the store: the owners of sessions, the connections of this gateway that
// others serve ("away"), and the connections of others that it serves ("guests").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/http/message.h"
#include "server/hub/peer_links.h"

namespace server {

// A connection of this gateway that another gateway serves.
struct ForwardedConnection {
    std::string peer;
    // The note that started it. The frame of an HTTP request is kept until the first reply.
    PeerNote call;
    bool is_answered = false;

    bool is_socket() const { return call.kind == PeerNote::Kind::kJoin; }
};

class Peers {
public:
    // `bus` outlives it.
    explicit Peers(PeerBus &bus)
        : links_(bus, [this](const std::string &peer) { return serves(peer); }) {}
    PeerLinks &links() { return links_; }

    // Returns the gateway that owns a session; empty: unknown.
    std::string owner_of(const std::string &session) const;
    void note_owner(const std::string &session, std::string_view peer);
    void forget_owner(const std::string &session) { owners_.erase(session); }
    // Forgets the sessions of a gateway that is gone.
    void forget_owners(std::string_view peer);

    // Forwards a connection of this gateway to `peer`.
    void forward_call(std::string_view peer, PeerNote call, int64_t now_ms);
    ForwardedConnection *find_forwarded(uint64_t connection);
    // Forwards another event of the connection. Returns false if this gateway serves it.
    bool forward_event(uint64_t connection, PeerNote::Kind kind, std::string_view text,
                       int64_t now_ms);
    void end_forwarded(uint64_t connection);
    // The number of HTTP requests among them.
    size_t waiting() const { return waiting_; }
    size_t forwarded_count() const { return forwarded_.size(); }
    std::vector<uint64_t> waiting_forwarded() const;
    std::vector<std::pair<uint64_t, ForwardedConnection>> take_forwarded_to(std::string_view peer);

    // Assigns a local number to a connection of another gateway. find_guest() returns 0 if it has
    // none.
    uint64_t add_guest(const std::string &peer, uint64_t connection);
    uint64_t find_guest(const std::string &peer, uint64_t connection) const;
    static bool is_guest(uint64_t number) { return (number & kGuest) != 0; }
    void end_guest(uint64_t number);
    std::vector<uint64_t> guests_of(const std::string &peer) const;
    // Sends an effect to the gateway of a guest. Returns false if it is for a connection of this
    // gateway.
    bool forward_effect(const HubEffect &effect, int64_t now_ms);

private:
    // Are there connections between it and this gateway?
    bool serves(const std::string &peer) const {
        return forwarded_to_.count(peer) != 0 || guests_.count(peer) != 0;
    }

    static constexpr uint64_t kGuest = uint64_t{1} << 63;

    PeerLinks links_;
    std::unordered_map<std::string, std::string> owners_;  // by session
    std::unordered_map<uint64_t, ForwardedConnection> forwarded_;
    std::map<std::string, std::map<uint64_t, uint64_t>> guests_;  // by gateway: local numbers
    std::unordered_map<uint64_t, std::pair<std::string, uint64_t>> guest_of_;  // by local number
    std::unordered_map<std::string, size_t> forwarded_to_;                     // counts, by gateway
    uint64_t last_guest_ = kGuest;
    size_t waiting_ = 0;
};

}  // namespace server
