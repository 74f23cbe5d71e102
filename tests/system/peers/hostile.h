// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Mallory, who sees every frame and sends harmful ones over a connection of its own. Its actions
// are in a table.
#pragma once

#include "peers/peer.h"

namespace accp_peers {

class Hostile {
public:
    Hostile(const Setup &setup, Dice &dice) : setup_(setup), dice_(dice) {}

    void sees(const std::string &frame) {
        if (seen_.size() < kMaxSeen) seen_.push_back(frame);
        else seen_[dice_.below(kMaxSeen)] = frame;
    }
    // Sends one frame of a random action to this side. The result shows which of its own frames
    // were counted.
    void act(Peer &on);

private:
    static constexpr size_t kMaxSeen = 500;
    using Action = std::string (Hostile::*)(Peer &on);

    std::string frame(const std::string &agent, const std::string &body, int64_t seq,
                      const std::string &more = "");
    std::string mid();
    std::string seen();
    int64_t seq();

    std::string honest(Peer &);
    std::string forged(Peer &);
    std::string replayed(Peer &);
    std::string tampered(Peer &);
    std::string jumped(Peer &);
    std::string ahead(Peer &);
    std::string next_mid(Peer &);
    std::string cancelled(Peer &);
    std::string state(Peer &);
    std::string part(Peer &);
    std::string reference(Peer &);
    std::string garbage(Peer &);

    const Setup setup_;
    Dice &dice_;
    std::vector<std::string> seen_;
    int64_t next_[2] = {1, 1};  // next seq, for each side
    int64_t *seq_ = next_;
    uint64_t mids_ = 0;
};

}  // namespace accp_peers
