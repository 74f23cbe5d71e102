// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// All gateways, and the routing of requests: by session, to a gateway that is believed to be alive.
// A dead gateway is noticed after a while and then replaced. Agents of its open sessions reconnect
// to others.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scale/gateway.h"

namespace scale {

struct SiteRules {
    size_t gateways = 2;
    GatewayRules gateway;
    Nanos noticed = kSecond;       // after this time a dead gateway gets no more requests
    Nanos replaced = 5 * kSecond;  // after its death
    Nanos rejoin_spread = 0;       // time over which agents of its sessions reconnect
    Nanos skew = 0;                // of a gateway's clock, at most, in either direction
    double connected = 1;          // share of open sessions with an agent that reconnects
};

class Site {
public:
    Site(Cluster &cluster, const SiteRules &rules);
    ~Site();

    // Sends to the session's gateway, or to the one that is `skip` further. A reply may never come.
    void send(Request request, size_t skip);
    void kill(size_t gateway);
    // Before the simulation begins, and without using time.
    void take_before(uint32_t session, const std::string &text);
    void forget_counts() { counts_ = {}; }

    size_t size() const { return slots_.size(); }
    const GatewayCounts &counts() const { return counts_; }
    size_t queued() const;
    uint64_t kills() const { return kills_; }
    // The longest time from a death until all reconnected agents were served.
    Nanos longest_rejoin() const { return longest_rejoin_; }
    Nanos lane_time() const;  // of all lanes together

private:
    struct Slot {
        std::unique_ptr<Gateway> gateway;  // NULL: dead
        bool believed = true;
    };
    size_t route(uint32_t session, size_t skip) const;
    void start(size_t slot);
    void rejoin(uint32_t session, Nanos died, size_t tries);

    Cluster &cluster_;
    SiteRules rules_;
    std::vector<Slot> slots_;
    GatewayCounts counts_;
    uint64_t kills_ = 0;
    Nanos longest_rejoin_ = 0;
};

}  // namespace scale
