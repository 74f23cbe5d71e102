// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How statistics are told: gaps by how often they were met, and intervals in whole percents.
#pragma once

#include <algorithm>

#include "packet/panes/tally.h"

namespace accp::panes {

// The kinds that were met, most first; of the same number those of earlier rules.
struct GapOrder {
    explicit GapOrder(const Tally &tally) {
        for (int kind = 0; kind < kGapKinds; ++kind)
            if (tally.gap_failed[kind].all) kinds[count++] = kind;
        std::stable_sort(kinds, kinds + count, [&](int a, int b) {
            return tally.gap_failed[a].all > tally.gap_failed[b].all;
        });
    }

    int kinds[kGapKinds] = {};
    int count = 0;
};

// Outwards, so that what is told holds.
inline uint64_t low_percent(const Share &share) { return static_cast<uint64_t>(share.low() * 100); }
inline uint64_t high_percent(const Share &share) {
    const double high = share.high() * 100;
    const auto cut = static_cast<uint64_t>(high);
    return cut + (static_cast<double>(cut) < high);
}

}  // namespace accp::panes
