// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Joins several scores of the same texts by rank. Only the order of each score counts, since their
// sizes cannot be compared: cosines depend on the model.
#pragma once

#include <span>

#include "base/memory.h"

namespace accp::text {

class RankFusion {
public:
    explicit RankFusion(Memory &memory) : places_(memory), order_(memory) {}

    // Starts again, for `count` texts.
    void start(size_t count);
    // Adds a score of each text, higher for better ones. Equal scores share the lowest place.
    void add(std::span<const double> scores);
    // Returns the mean place of each text: 0 for the last by all scores, to 1.
    double place(size_t text) const { return places_[text] / static_cast<double>(scores_); }
    // Returns the texts, the best first; of equal ones the earlier. Valid until the next call.
    std::span<const uint32_t> order();

private:
    Buffer<double> places_;  // sum over the scores
    Buffer<uint32_t> order_;
    size_t scores_ = 0;
};

}  // namespace accp::text
