// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h: what has space.
#include <algorithm>

#include "packet/file/generate.h"

namespace accp::packet {

namespace {

constexpr int kWorthMore = 10;    // what a sentence has to have for more than its share
constexpr int kMaxOfMessage = 4;  // of a kind, where no user speaks

struct Share {
    int kind;
    int percent;  // of what the task leaves
    size_t max;   // items
};
constexpr Share kMinimal[] = {{int(Kind::kConstraint), 100, 16}};
constexpr Share kStandard[] = {
    {int(Kind::kConstraint), 46, 16}, {int(Kind::kDecision), 38, 12}, {kFiles, 16, 5}};
constexpr Share kDeep[] = {{int(Kind::kConstraint), 34, 20},
                           {int(Kind::kDecision), 26, 16},
                           {int(Kind::kFailure), 26, 10},
                           {kFiles, 14, 7},
                           {int(Kind::kQuestion), 2, 3}};

std::span<const Share> shares_of(Depth depth) {
    if (depth == Depth::kMinimal) return kMinimal;
    return depth == Depth::kStandard ? std::span<const Share>(kStandard)
                                     : std::span<const Share>(kDeep);
}

}  // namespace

bool Generator::has_place(Depth depth, int kind) {
    for (const Share &share : shares_of(depth))
        if (share.kind == kind) return true;
    return false;
}

// Of what must stand none is left out: its texts are cut at max_bytes, at the end of a clause where
// there is one.
Status Generator::choose(const Request &request, token::TokenCounter &counter, uint64_t fixed,
                         size_t max_bytes) {
    required_bytes_ = max_bytes;
    uint64_t required = 0;
    for (Item &item : items_) {
        item.kept = item.required;
        if (!item.required) continue;
        Status status = count(state(*item.found, max_bytes), counter, item.tokens);
        if (status.failed()) return status;
        required += item.tokens;
    }
    if (fixed + required < request.budget_tokens)
        fill(request.depth, request.budget_tokens - fixed, required);
    return {};
}

// May it have more than the share of its kind? Files may where there is code.
bool Generator::is_worth_more(const Item &item) const {
    return item.found ? item.found->score >= kWorthMore : ranker_.has_code();
}

// Gives each kind its share, less what must stand of it; then what nobody took, in the order of the
// kinds.
void Generator::fill(Depth depth, uint64_t space, uint64_t required) {
    uint64_t left = space - required;
    kept_.clear();
    for (const bool shared : {true, false}) {
        for (const Share &share : shares_of(depth)) {
            uint64_t used = 0;
            size_t count = 0;
            for (const Item &item : items_)
                if (item.kept && kind_of(item) == share.kind) used += item.tokens, ++count;
            const uint64_t all = space * static_cast<uint64_t>(share.percent) / 100;
            uint64_t of_kind = shared ? std::min(left, all - std::min(all, used)) : left;
            for (Item &item : items_) {
                if (kind_of(item) != share.kind || item.kept) continue;
                if (count >= share.max) break;
                if (is_full(item)) continue;
                if (item.tokens > of_kind) continue;
                if (!shared && !is_worth_more(item)) continue;
                item.kept = true;
                kept_.push(&item);
                ++count;
                of_kind -= item.tokens;
                left -= item.tokens;
            }
        }
    }
}

// One message of an assistant says what matters in few sentences.
bool Generator::is_full(const Item &item) const {
    if (!item.found || item.found->who == Who::kUser) return false;
    int of_message = 0;
    for (const Item *other : kept_)
        of_message += other->found && other->found->kind == item.found->kind &&
                      other->found->who == item.found->who &&
                      other->found->message == item.found->message;
    return of_message >= kMaxOfMessage;
}

Generator::Item *Generator::last_optional() {
    Item *last = nullptr;
    for (Item &item : items_)
        if (item.kept && !item.required) last = &item;
    return last;
}

}  // namespace accp::packet
