// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/site.h"

#include <algorithm>
#include <utility>

namespace scale {

Site::Site(Cluster &cluster, const SiteRules &rules)
    : cluster_(cluster), rules_(rules), slots_(rules.gateways) {
    for (size_t i = 0; i < slots_.size(); ++i) start(i);
}

Site::~Site() {
    for (Slot &slot : slots_)
        if (slot.gateway) (void)slot.gateway->kill();
}

void Site::start(size_t slot) {
    const double part = 2 * cluster_.simulation().random().part() - 1;
    const auto skew = static_cast<Nanos>(part * static_cast<double>(rules_.skew));
    slots_[slot].gateway = std::make_unique<Gateway>(cluster_, rules_.gateway, slot, skew, counts_);
    slots_[slot].believed = true;
}

// Only the sessions of a dead gateway move, and they move back when it is there again.
size_t Site::route(uint32_t session, size_t skip) const {
    constexpr size_t kTries = 256;
    size_t last = slots_.size();
    for (size_t i = 0; i < kTries; ++i) {
        const size_t slot = mix(mix(session) + i) % slots_.size();
        if (!slots_[slot].believed || slot == last) continue;
        last = slot;
        if (!skip--) return slot;
    }
    return last;
}

void Site::send(Request request, size_t skip) {
    const size_t slot = route(request.session, skip);
    if (slot == slots_.size()) return;
    const Nanos travel = cluster_.rules().one_way;
    const auto held = std::make_shared<Request>(std::move(request));
    cluster_.simulation().after(travel, [this, slot, held] {
        if (slots_[slot].gateway) slots_[slot].gateway->take(std::move(*held));
    });
}

void Site::take_before(uint32_t session, const std::string &text) {
    slots_[route(session, 0)].gateway->take_before(session, text);
}

void Site::kill(size_t slot) {
    if (!slots_[slot].gateway) return;
    ++kills_;
    Simulation &simulation = cluster_.simulation();
    const std::vector<uint32_t> sessions = slots_[slot].gateway->kill();
    slots_[slot].gateway.reset();
    const Nanos died = simulation.now();
    simulation.after(rules_.noticed, [this, slot, sessions, died] {
        if (!slots_[slot].gateway) slots_[slot].believed = false;
        for (const uint32_t session : sessions) {
            if (!cluster_.simulation().random().happens(rules_.connected)) continue;
            const double part = cluster_.simulation().random().part();
            cluster_.simulation().after(
                static_cast<Nanos>(part * static_cast<double>(rules_.rejoin_spread)),
                [this, session, died] { rejoin(session, died, 0); });
        }
    });
    simulation.after(rules_.replaced, [this, slot] {
        if (!slots_[slot].gateway) start(slot);
    });
}

void Site::rejoin(uint32_t session, Nanos died, size_t tries) {
    constexpr size_t kMaxTries = 20;
    Request request;
    request.session = session;
    request.answer = [this, session, died, tries](Verdict verdict, accp_status) {
        Simulation &simulation = cluster_.simulation();
        if (verdict != Verdict::kTaken && tries < kMaxTries)
            simulation.after(kSecond,
                             [this, session, died, tries] { rejoin(session, died, tries + 1); });
        else longest_rejoin_ = std::max(longest_rejoin_, simulation.now() - died);
    };
    send(std::move(request), 0);
}

size_t Site::queued() const {
    size_t sum = 0;
    for (const Slot &slot : slots_) sum += slot.gateway ? slot.gateway->queued() : 0;
    return sum;
}

Nanos Site::lane_time() const {
    const size_t lanes = slots_.size() * rules_.gateway.lanes;
    return cluster_.simulation().now() * static_cast<Nanos>(lanes);
}

}  // namespace scale
