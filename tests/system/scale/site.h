// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// All gateways, and who is sent to which: by the session, to one that is believed to live. A dead
// one is noticed after a while, and then replaced; agents of its open sessions come back at others.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scale/gateway.h"

namespace scale {

struct SiteRules {
    size_t gateways = 2;
    GatewayRules gateway;
    Nanos noticed = kSecond;       // after which nobody is sent to a dead one
    Nanos replaced = 5 * kSecond;  // after its death
    Nanos rejoin_spread = 0;       // over which agents of its sessions come back
    Nanos skew = 0;                // of a gateway's clock, at most, either way
    double connected = 1;          // share of open sessions with somebody who comes back
};

class Site {
public:
    Site(Cluster &cluster, const SiteRules &rules);
    ~Site();

    // To the session's gateway, or `skip` further. An answer may never come.
    void send(Request request, size_t skip);
    void kill(size_t gateway);
    // Before anything begins, and without time.
    void take_before(uint32_t session, const std::string &text);
    void forget_counts() { counts_ = {}; }

    size_t size() const { return slots_.size(); }
    const GatewayCounts &counts() const { return counts_; }
    size_t queued() const;
    uint64_t kills() const { return kills_; }
    // From a death until all who came back were served, the longest.
    Nanos longest_rejoin() const { return longest_rejoin_; }
    Nanos lane_time() const;  // of all lanes together, so far

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
