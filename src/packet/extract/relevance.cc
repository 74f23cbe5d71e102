// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/relevance.h"

#include <algorithm>

namespace accp::packet {

namespace {

// Bytes before and after a finding that are compared with the task too.
constexpr size_t kBefore = 150, kAfter = 80;

// Returns the finding with some text around it, in whole characters.
std::string_view with_context(const Finding &found) {
    if (found.source.empty()) return found.text;
    const auto at = static_cast<size_t>(found.text.data() - found.source.data());
    size_t begin = at - std::min(at, kBefore);
    size_t end = std::min(at + found.text.size() + kAfter, found.source.size());
    while (begin < at && (found.source[begin] & 0xC0) == 0x80) ++begin;
    while (end < found.source.size() && (found.source[end] & 0xC0) == 0x80) ++end;
    return found.source.substr(begin, end - begin);
}

// A conversation is about other things too if more than one finding in kOthersOf has no word of the
// task, and at least one in kSharedOf has one; otherwise the task is in other words than the talk.
// Demands and decisions of users are left out only if more than one in kSurelyOthersOf lacks one.
// With an embedder, such a finding concerns the task all the same if it is nearer to it than one in
// kNearOf of those with a word of the task. What an assistant said is about other things also with
// such a word, if it is farther than all but one in kFarOf of these.
constexpr size_t kNearOf = 2, kFarOf = 4;
constexpr size_t kOthersOf = 7, kSurelyOthersOf = 5, kSharedOf = 4;

}  // namespace

Status TaskRelevance::rank(std::string_view task, std::span<Finding> findings,
                           text::Embedder *embedder) {
    words_.start(task);
    for (const Finding &found : findings) words_.add(with_context(found));
    own_.clear();
    for (const double score : words_.score()) own_.push(score);
    double near_cosine = 0, far_cosine = -1;
    ranks_.start(findings.size());
    ranks_.add(words_.lend_words());
    if (embedder && !findings.empty()) {
        texts_.clear();
        texts_.push(task);
        for (const Finding &found : findings) texts_.push(with_context(found));
        Status status = vectors_.make(*embedder, {texts_.data(), texts_.size()});
        if (status.failed()) return status;
        scores_.clear();
        for (size_t i = 0; i < findings.size(); ++i) scores_.push(vectors_.cosine(0, i + 1));
        ranks_.add({scores_.data(), scores_.size()});
        sorted_.clear();
        for (size_t i = 0; i < findings.size(); ++i)
            if (own_[i] > 0) sorted_.push(scores_[i]);
        std::sort(sorted_.begin(), sorted_.end());
        if (!sorted_.empty()) {
            near_cosine = sorted_[sorted_.size() / kNearOf];
            far_cosine = sorted_[sorted_.size() / kFarOf];
        }
    }
    const auto without = static_cast<size_t>(
        std::count_if(own_.begin(), own_.end(), [](double each) { return each <= 0; }));
    const bool says_nothing = without * kSharedOf >= findings.size() * (kSharedOf - 1);
    const bool is_long = !says_nothing && findings.size() >= kFewFindings;
    const bool has_others = is_long && without * kOthersOf > findings.size(),
               surely_has_others = is_long && without * kSurelyOthersOf > findings.size();
    const std::span<const uint32_t> order = ranks_.order();
    for (size_t i = 0; i < order.size(); ++i) {
        Finding &found = findings[order[i]];
        found.relevance =
            says_nothing ? 100 : std::max(static_cast<int>(ranks_.place(order[i]) * 100), 1);
        const bool is_of_user = found.speaker == Speaker::kUser || found.is_proposal;
        const double cosine = embedder ? scores_[order[i]] : -1;
        const bool is_other = own_[order[i]] <= 0 ? !embedder || cosine < near_cosine
                                                  : embedder && !is_of_user && cosine < far_cosine;
        if (is_other && !found.is_structured && (is_of_user ? surely_has_others : has_others))
            found.relevance = 0;
    }
    return {};
}

}  // namespace accp::packet
