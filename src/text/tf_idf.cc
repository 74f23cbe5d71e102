// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/tf_idf.h"

#include <algorithm>
#include <cmath>

#include "text/words.h"

namespace accp::text {

namespace {

// One in kLenders of the texts that have a word of the query lends it its words, at this weight.
constexpr size_t kLenders = 8;
constexpr double kLentWeight = 0.3;

bool contains(const Buffer<uint64_t> &sorted, uint64_t term) {
    return std::binary_search(sorted.begin(), sorted.end(), term);
}

}  // namespace

void TfIdf::start(std::string_view query) {
    terms_.clear();
    ends_.clear();
    query_.clear();
    append_topics(query, query_);
}

void TfIdf::add(std::string_view text) {
    append_topics(text, terms_);
    ends_.push(static_cast<uint32_t>(terms_.size()));
}

std::span<const double> TfIdf::score() {
    sorted_.clear();
    sorted_.append(terms_);
    std::sort(sorted_.begin(), sorted_.end());
    lent_.clear();
    compute_scores();
    return scores();
}

std::span<const double> TfIdf::lend_words() {
    order_.clear();
    for (uint32_t i = 0; i < ends_.size(); ++i)
        if (scores_[i] > 0) order_.push(i);
    const size_t lenders = order_.size() / kLenders;
    std::partial_sort(order_.begin(), order_.begin() + lenders, order_.end(),
                      [&](uint32_t a, uint32_t b) {
                          return scores_[a] != scores_[b] ? scores_[a] > scores_[b] : a < b;
                      });
    for (size_t i = 0; i < lenders; ++i)
        for (const uint64_t term : terms_of(order_[i]))
            if (!contains(query_, term)) lent_.push(term);
    std::sort(lent_.begin(), lent_.end());
    lent_.set_end(std::unique(lent_.begin(), lent_.end()));
    compute_scores();
    return scores();
}

double TfIdf::squared_weight(uint64_t term) const {
    const auto [begin, end] = std::equal_range(sorted_.begin(), sorted_.end(), term);
    const double weight = std::log(1.0 + static_cast<double>(ends_.size() + 1) /
                                             static_cast<double>(end - begin + 1));
    return weight * weight;
}

void TfIdf::compute_scores() {
    scores_.clear();
    double query_norm = 0;
    for (const uint64_t term : query_) query_norm += squared_weight(term);
    for (const uint64_t term : lent_)
        query_norm += kLentWeight * kLentWeight * squared_weight(term);
    for (size_t i = 0; i < ends_.size(); ++i) {
        double common = 0, norm = 0;
        for (const uint64_t term : terms_of(i)) {
            const double squared = squared_weight(term);
            norm += squared;
            if (contains(query_, term)) common += squared;
            else if (contains(lent_, term)) common += kLentWeight * squared;
        }
        scores_.push(common > 0 ? common / std::sqrt(query_norm * norm) : 0);
    }
}

}  // namespace accp::text
