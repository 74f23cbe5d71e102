// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/selection.h"

#include <algorithm>

#include "text/words.h"

namespace accp::packet {

namespace {

struct KindShare {
    ItemKind kind;
    int percent;  // of the budget
    size_t max;   // items that the caller did not give
};
constexpr KindShare kMinimal[] = {{ACCP_PACKET_CONSTRAINT, 100, 16}};
constexpr KindShare kStandard[] = {
    {ACCP_PACKET_CONSTRAINT, 46, 16}, {ACCP_PACKET_DECISION, 38, 12}, {ACCP_PACKET_FILE, 16, 7}};
constexpr KindShare kDeep[] = {{ACCP_PACKET_CONSTRAINT, 34, 20},
                               {ACCP_PACKET_DECISION, 26, 16},
                               {ACCP_PACKET_FAILURE, 22, 10},
                               {ACCP_PACKET_FILE, 14, 10},
                               {ACCP_PACKET_QUESTION, 4, 3}};
// The share of a kind that only the caller gives.
constexpr int kGivenPercent = 10;

std::span<const KindShare> shares_of(Depth depth) {
    if (depth == Depth::kMinimal) return kMinimal;
    return depth == Depth::kStandard ? std::span<const KindShare>(kStandard)
                                     : std::span<const KindShare>(kDeep);
}

KindShare share_of(Depth depth, ItemKind kind) {
    for (const KindShare &share : shares_of(depth))
        if (share.kind == kind) return share;
    return {kind, kGivenPercent, 0};
}

// The order in which kinds get what the shares left.
constexpr ItemKind kKinds[] = {
    ACCP_PACKET_CRITERION, ACCP_PACKET_CONSTRAINT,   ACCP_PACKET_DECISION, ACCP_PACKET_FAILURE,
    ACCP_PACKET_FILE,      ACCP_PACKET_ANTI_PATTERN, ACCP_PACKET_PATTERN,  ACCP_PACKET_QUESTION,
    ACCP_PACKET_PIVOT,     ACCP_PACKET_EXAMPLE};

constexpr uint64_t kHeadingTokens = 4;  // of a section
constexpr int kTokensOfItem = 100;      // added to each: the best text is seldom the shortest
constexpr int kWorthBeyondShare =
    24;                            // minimum worth of an optional item beyond the share of its kind
constexpr int kMaxPerMessage = 6;  // items of one kind from one message of an assistant
constexpr size_t kAlikePercent = 60;   // of the words of the shorter text
constexpr size_t kOfTaskPercent = 80;  // of its own words

int64_t density(const Candidate &candidate) {
    return int64_t{candidate.worth} * 1000 / (candidate.tokens + kTokensOfItem);
}

bool is_by_agent(const Candidate &candidate) {
    return candidate.finding && candidate.finding->speaker != Speaker::kUser;
}

}  // namespace

Selection::WordMask::WordMask(std::span<const uint64_t> words) {
    for (const uint64_t word : words) {
        low |= uint64_t{1} << (word % 64);
        high |= uint64_t{1} << (word >> 32) % 64;
    }
}

bool Selection::includes(Depth depth, ItemKind kind) {
    for (const KindShare &share : shares_of(depth))
        if (share.kind == kind) return true;
    return false;
}

void Selection::clear(std::string_view task) {
    candidates_.clear();
    task_.clear();
    text::append_topics(task, task_);
}

void Selection::reset() {
    for (Candidate &candidate : candidates()) {
        candidate.outcome = Outcome::kOpen;
        candidate.repeated = nullptr;
    }
    topics_.words.clear();
    topics_.all.clear();
    kept_.clear();
    sort();
}

// What the caller gave keeps its order.
void Selection::sort() {
    order_.clear();
    for (uint32_t i = 0; i < candidates_.size(); ++i) order_.push(i);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
        const Candidate &first = candidates_[a], &second = candidates_[b];
        if (first.rank != second.rank) return first.rank < second.rank;
        if (first.rank == Rank::kGiven || density(first) == density(second)) return a < b;
        return density(first) > density(second);
    });
}

void Selection::choose(Depth depth, uint64_t tokens) {
    reset();
    uint64_t left = tokens;
    for (const bool shared : {true, false}) {
        for (const ItemKind kind : kKinds) {
            const KindShare share = share_of(depth, kind);
            if (kind == ACCP_PACKET_FILE) require_named_files();
            uint64_t used = 0;
            size_t count = 0;
            for (const Kept &kept : kept_)
                if (kept.candidate->kind == kind) used += kept.candidate->tokens, ++count;
            const uint64_t all = tokens * static_cast<uint64_t>(share.percent) / 100;
            uint64_t space = shared ? std::min(left, all - std::min(all, used)) : left;
            for (const uint32_t i : order_) {
                Candidate &candidate = candidates_[i];
                if (candidate.kind != kind || candidate.outcome == Outcome::kKept ||
                    candidate.outcome == Outcome::kRepeated)
                    continue;
                const uint64_t cost = candidate.tokens + (count ? 0 : kHeadingTokens);
                const bool is_optional = candidate.rank == Rank::kOptional;
                if (cost > space ||
                    (is_optional && (count >= share.max || is_message_exhausted(candidate))) ||
                    (is_optional && !shared && !candidate.is_demand &&
                     candidate.worth < kWorthBeyondShare)) {
                    candidate.outcome = Outcome::kNoSpace;
                    continue;
                }
                if (is_repeated(candidate)) continue;
                keep(candidate);
                ++count;
                space -= cost;
                left -= cost;
            }
        }
    }
}

void Selection::choose_required(Depth depth) {
    reset();
    for (const uint32_t i : order_) {
        Candidate &candidate = candidates_[i];
        const bool is_required = candidate.rank != Rank::kOptional &&
                                 (candidate.given || includes(depth, candidate.kind));
        if (!is_required) candidate.outcome = Outcome::kNoSpace;
        else if (!is_repeated(candidate)) keep(candidate);
    }
}

bool Selection::drop(uint64_t tokens) {
    if (kept_.empty()) return false;
    for (uint64_t dropped = 0; !kept_.empty() && dropped < tokens;) {
        const Kept *worst = kept_.begin();
        for (const Kept &kept : kept_) {
            const Candidate &one = *kept.candidate, &other = *worst->candidate;
            if (one.rank != other.rank ? one.rank > other.rank : density(one) < density(other))
                worst = &kept;
        }
        Candidate &candidate =
            candidates_[static_cast<size_t>(worst->candidate - candidates_.data())];
        candidate.outcome = Outcome::kNoSpace;
        dropped += candidate.tokens;
        const auto at = static_cast<size_t>(worst - kept_.begin());
        for (size_t i = at; i + 1 < kept_.size(); ++i) kept_[i] = kept_[i + 1];
        kept_.resize_down(kept_.size() - 1);
    }
    return true;
}

void Selection::keep(Candidate &candidate) {
    candidate.outcome = Outcome::kKept;
    const size_t begin = kept_.empty() ? 0 : kept_[kept_.size() - 1].all_end;
    kept_.push(
        {&candidate, topics_.words.size(), topics_.all.size(), WordMask(all_words_from(begin))});
}

// A file that a kept demand names is required.
void Selection::require_named_files() {
    bool changed = false;
    for (Candidate &candidate : candidates()) {
        if (!candidate.file || candidate.rank != Rank::kOptional) continue;
        const std::string_view name = file_name_of(candidate.file->path);
        for (const Kept &kept : kept_) {
            const bool demands = kept.candidate->kind == ACCP_PACKET_CONSTRAINT;
            if (!demands || kept.candidate->text.what.find(name) == name.npos) continue;
            candidate.rank = Rank::kRequired;
            changed = true;
            break;
        }
    }
    if (changed) sort();
}

// Returns whether a kept candidate of this kind has most of the words of this one, or, if this one
// is required or a demand, all of them; and whether any other only repeats the task. If not, its
// words stay at the end of topics_.
bool Selection::is_repeated(Candidate &candidate) {
    const bool is_structured = candidate.finding && candidate.finding->is_structured;
    if (candidate.file || is_structured) return false;
    const size_t begin = topics_.words.size(), all_begin = topics_.all.size();
    text::append_topics(candidate.text.what, topics_.words);
    text::append_all_topics(candidate.text.what, topics_.all);
    const std::span<const uint64_t> own(topics_.words.data() + begin, topics_.words.size() - begin),
        all = all_words_from(all_begin);
    const WordMask mask(all);
    const bool is_optional = candidate.rank == Rank::kOptional && !candidate.is_demand;
    bool again =
        is_optional && candidate.kind != ACCP_PACKET_FAILURE &&
        text::count_common(own, {task_.data(), task_.size()}) * 100 >= own.size() * kOfTaskPercent;
    for (size_t i = 0; i < kept_.size() && !again; ++i) {
        if (kept_[i].candidate->kind != candidate.kind) continue;
        if (!is_optional && !kept_[i].mask.may_contain(mask)) continue;
        const size_t before = i ? kept_[i - 1].topics_end : 0,
                     all_before = i ? kept_[i - 1].all_end : 0;
        const std::span<const uint64_t> other(topics_.words.data() + before,
                                              kept_[i].topics_end - before);
        const size_t common = text::count_common(other, own);
        again = common && common * 100 >= std::min(own.size(), other.size()) * kAlikePercent;
        if (!again || is_optional) {
            if (again) candidate.repeated = kept_[i].candidate;
            continue;
        }
        const std::span<const uint64_t> others(topics_.all.data() + all_before,
                                               kept_[i].all_end - all_before);
        again = text::count_common(others, all) == all.size();
        if (again) candidate.repeated = kept_[i].candidate;
    }
    if (!again) return false;
    topics_.words.resize_down(begin);
    topics_.all.resize_down(all_begin);
    candidate.outcome = Outcome::kRepeated;
    return true;
}

// Limits the items from one message of an assistant.
bool Selection::is_message_exhausted(const Candidate &candidate) const {
    if (!is_by_agent(candidate)) return false;
    int of_message = 0;
    for (const Kept &kept : kept_)
        of_message += kept.candidate->kind == candidate.kind && is_by_agent(*kept.candidate) &&
                      kept.candidate->finding->message == candidate.finding->message;
    return of_message >= kMaxPerMessage;
}

}  // namespace accp::packet
