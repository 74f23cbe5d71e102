// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Links to other gateways: what one says comes to the other once and in its order, or both are told
// that the link is lost. A gateway that is there is heard twice a second.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/hub/peer_bus.h"
#include "server/hub/peer_note.h"

namespace server {

// What has come from a gateway.
struct PeerEvent {
    enum class Kind {
        kNote,
        kGone,   // it is not there; `got_nothing`: it has done nothing of what it was told
        kLost,   // it is there, and something between the two was lost
        kDoubt,  // others may have taken this gateway for gone
    };
    Kind kind;
    std::string peer;
    PeerNote note = {};
    bool got_nothing = false;
};

class PeerLinks {
public:
    using Needs = std::function<bool(const std::string &peer)>;

    // `bus` outlives it. `needs`: is a link to this gateway still needed? One that is not ends when
    // nobody has said anything for a while.
    PeerLinks(PeerBus &bus, Needs needs) : bus_(bus), needs_(std::move(needs)) {}

    std::vector<PeerEvent> hear(int64_t now_ms);
    // Goes with the next flush().
    void say(std::string_view peer, const PeerNote &note, int64_t now_ms);
    void flush(int64_t now_ms);

    bool is_gone(std::string_view peer) const { return gone_.count(std::string(peer)) != 0; }
    const std::string &self() const { return bus_.self(); }
    size_t count() const { return links_.size(); }
    // May a note with a text of this size be said?
    bool has_room_for(size_t text_bytes) const;

private:
    struct Link {
        std::string ours, theirs;  // names of the two directions; of theirs, empty: not heard yet
        uint64_t said = 0, heard = 0;
        int64_t said_at_ms = 0, heard_at_ms = 0;
        bool is_used = true;  // since the last beat
        std::string notes;    // to be said
    };

    Link &link_to(std::string_view peer, int64_t now_ms);
    void hear(const PeerMessage &message, int64_t now_ms, std::vector<PeerEvent> &events);
    void lose(const std::string &peer, PeerEvent::Kind kind, bool got_nothing,
              std::vector<PeerEvent> &events);
    void lose_nobody(const std::string &peer, std::vector<PeerEvent> &events);
    void end_silent(int64_t now_ms, std::vector<PeerEvent> &events);
    void send(const std::string &peer, Link &link, int64_t now_ms);
    std::string new_name();

    PeerBus &bus_;
    Needs needs_;
    std::unordered_map<std::string, Link> links_;
    std::unordered_set<std::string> gone_;
    uint64_t names_ = 0;
    int64_t heard_at_ms_ = 0;  // when it was asked last what has come
};

}  // namespace server
