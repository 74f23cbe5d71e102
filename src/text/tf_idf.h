// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How much each of several texts concerns a query, by tf-idf: the cosine of two vectors with a
// dimension for each word. A word weighs more, the fewer texts have it.
#pragma once

#include <span>
#include <string_view>

#include "base/memory.h"

namespace accp::text {

class TfIdf {
public:
    explicit TfIdf(Memory &memory)
        : terms_(memory),
          ends_(memory),
          sorted_(memory),
          query_(memory),
          lent_(memory),
          scores_(memory),
          order_(memory) {}

    // Starts again with a query and without texts.
    void start(std::string_view query);
    void add(std::string_view text);
    size_t size() const { return ends_.size(); }

    // Returns the score of each text, from 0 (no word of the query) to 1, in the order of adding.
    // Valid until the next call. Cost: O(n log n) in the words of the texts.
    std::span<const double> score();
    // Call this after score(). The texts that concern the query most lend it their words, with less
    // weight, because other texts about its subject may have these words only. Returns the new
    // scores.
    std::span<const double> lend_words();
    // Returns the scores of the last of these calls again.
    std::span<const double> scores() const { return {scores_.data(), scores_.size()}; }

private:
    void compute_scores();
    double squared_weight(uint64_t term) const;
    std::span<const uint64_t> terms_of(size_t text) const {
        const uint32_t begin = text ? ends_[text - 1] : 0;
        return {terms_.data() + begin, ends_[text] - begin};
    }

    Buffer<uint64_t> terms_;  // of the texts, concatenated; sorted within each
    Buffer<uint32_t> ends_;
    Buffer<uint64_t> sorted_;
    Buffer<uint64_t> query_, lent_;
    Buffer<double> scores_;
    Buffer<uint32_t> order_;
};

}  // namespace accp::text
