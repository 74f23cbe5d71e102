// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a hub knows of the other gateways of its store: which of them has which session, connections
// of its own that are served by another, and those of others that it serves.
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

// A connection of this gateway that another serves.
struct AwayConnection {
    std::string peer;
    // How it began; an HTTP request's frame is kept until something comes of it.
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

    // The gateway that has a session, as far as it is known; empty: it is not.
    std::string home_of(const std::string &session) const;
    void note_home(const std::string &session, std::string_view peer);
    void forget_home(const std::string &session) { homes_.erase(session); }
    // Of a gateway that is gone.
    void forget_homes(std::string_view peer);

    // A connection of ours goes to `peer`, which is told how it began.
    void send_away(std::string_view peer, PeerNote call, int64_t now_ms);
    AwayConnection *find_away(uint64_t connection);
    // More of it. False: it is served here.
    bool pass(uint64_t connection, PeerNote::Kind kind, std::string_view text, int64_t now_ms);
    void end_away(uint64_t connection);
    // HTTP requests among them.
    size_t waiting() const { return waiting_; }
    size_t away_count() const { return away_.size(); }
    std::vector<uint64_t> waiting_away() const;
    std::vector<std::pair<uint64_t, AwayConnection>> take_away_at(std::string_view peer);

    // A connection of another gateway has a number here from now on. find_guest(): 0: it has none.
    uint64_t add_guest(const std::string &peer, uint64_t connection);
    uint64_t find_guest(const std::string &peer, uint64_t connection) const;
    static bool is_guest(uint64_t number) { return (number & kGuest) != 0; }
    void end_guest(uint64_t number);
    std::vector<uint64_t> guests_of(const std::string &peer) const;
    // Sends an effect to the gateway of a guest. False: it is for a connection of ours.
    bool carry(const HubEffect &effect, int64_t now_ms);

private:
    // Are there connections between it and this gateway?
    bool serves(const std::string &peer) const {
        return away_at_.count(peer) != 0 || guests_.count(peer) != 0;
    }

    static constexpr uint64_t kGuest = uint64_t{1} << 63;

    PeerLinks links_;
    std::unordered_map<std::string, std::string> homes_;  // by session
    std::unordered_map<uint64_t, AwayConnection> away_;
    std::map<std::string, std::map<uint64_t, uint64_t>> guests_;               // by peer: numbers
    std::unordered_map<uint64_t, std::pair<std::string, uint64_t>> guest_of_;  // by our number
    std::unordered_map<std::string, size_t> away_at_;                          // counts, by peer
    uint64_t last_guest_ = kGuest;
    size_t waiting_ = 0;
};

}  // namespace server
