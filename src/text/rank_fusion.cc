// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/rank_fusion.h"

#include <algorithm>

namespace accp::text {

void RankFusion::start(size_t count) {
    places_.clear();
    order_.clear();
    scores_ = 0;
    for (uint32_t i = 0; i < count; ++i) {
        places_.push(0);
        order_.push(i);
    }
}

void RankFusion::add(std::span<const double> scores) {
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t a, uint32_t b) { return scores[a] < scores[b]; });
    const double last = static_cast<double>(std::max<size_t>(order_.size(), 2) - 1);
    size_t lower = 0;
    for (size_t i = 0; i < order_.size(); ++i) {
        if (i && scores[order_[i]] != scores[order_[i - 1]]) lower = i;
        places_[order_[i]] += static_cast<double>(lower) / last;
    }
    ++scores_;
}

std::span<const uint32_t> RankFusion::order() {
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
        return places_[a] != places_[b] ? places_[a] > places_[b] : a < b;
    });
    return {order_.data(), order_.size()};
}

}  // namespace accp::text
