// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the text for a model, whole or within a budget.
#include <algorithm>

#include "context/context.h"
#include "context/scratch.h"

namespace accp::context {

namespace {

// If the context exceeds a budget, a quarter of the budget is freed at once, so that the rest can
// stay for a while.
constexpr uint64_t kStep = 4;
// Evictions for a budget. Lines that come back take space again.
constexpr int kMaxTries = 4;

bool is_message(const Unit &unit) { return unit.kind == UnitKind::kMessage; }

}  // namespace

std::string_view Context::warm(uint32_t id) const {
    size_t first = state_.pinned;
    while (first < state_.open && state_.units[first].checkpoint != id) ++first;
    size_t last = first;
    while (last < state_.open && state_.units[last].checkpoint == id) ++last;
    return id && first < last ? state_.text_of(first, last) : std::string_view();
}

TokenUse Context::use() const {
    const uint64_t hot = hot_tokens(), warm = state_.all_tokens() - hot;
    return {hot,        options_.hot_max,
            warm,       options_.warm_max() + state_.pinned_tokens,
            hot + warm, options_.total_max() + state_.pinned_tokens};
}

// Sets shown_ to the state, or to a draft within the budget.
Status Context::fit(uint64_t budget) {
    shown_ = &state_;
    left_out_ = 0;
    const uint64_t pinned = state_.pinned_tokens;
    if (budget && budget < pinned)
        return fail_limit(pinned, budget,
                          "too many tokens in what is pinned alone: raise the budget or lower rule "
                          "pinned_max");
    if (!budget || state_.all_tokens() <= budget || state_.pinned == state_.units.size()) return {};
    scratch_->begin();
    Status status;
    uint64_t max = budget;
    for (int i = 0; i < kMaxTries && status.ok() && shown_->all_tokens() > budget; ++i) {
        const size_t newest = shown_->units.size() - 1;
        const Eviction eviction = Pages(*shown_, options_, scratch_->arena)
                                      .for_room(newest, max, std::max<uint64_t>(1, budget / kStep));
        status = evict(eviction, shown_);
        if (!eviction.any()) break;
        max -= max / kStep;
    }
    if (status.ok() && shown_->all_tokens() > budget) status = fit_newest(budget);
    if (status.failed()) {
        shown_ = &state_;
        return status;
    }
    for (const Unit &unit : state_.units) left_out_ += is_message(unit) && !unit.level;
    for (const Unit &unit : shown_->units) left_out_ -= is_message(unit) && !unit.level;
    return {};
}

// Shows the pinned messages, as much of the newest message as has space, and a line for all
// messages between them if it has space.
Status Context::fit_newest(uint64_t budget) {
    const size_t last = state_.units.size() - 1;
    auto *fates = scratch_->arena.allocate<Fate>(last + 1);
    std::fill(fates, fates + last + 1, Fate::kJoins);
    fates[last] = Fate::kStays;
    const ContextState *now = &state_;
    Status status;
    if (last > state_.pinned) status = evict({state_.pinned, fates}, now);
    if (status.failed()) return status;
    ContextState &draft = draft_beside(now);
    draft.clear();
    draft.counts() = now->counts();
    uint64_t room = budget;
    for (size_t i = 0; i + 1 < now->units.size(); ++i) {
        const Unit &unit = now->units[i];
        if (unit.tokens > room) break;
        room -= unit.tokens;
        draft.add(unit, now->text_of(i), {});
    }
    Arriving newest;
    newest.unit = state_.units[last];
    newest.text = state_.text_of(last);
    if (newest.unit.tokens > room) status = cut(static_cast<uint32_t>(room), newest);
    if (status.failed()) return status;
    draft.open = draft.read = static_cast<uint32_t>(draft.units.size());
    if (newest.unit.tokens <= room) draft.add(newest.unit, newest.text, {});
    draft.sum_tokens();
    shown_ = &draft;
    return {};
}

Status Context::render(uint64_t budget, Buffer<char> &out, uint64_t &tokens) {
    Status status = fit(budget);
    if (status.failed()) return status;
    const size_t start = out.size();
    out.append(shown_->text);
    tokens = shown_->all_tokens();
    if (scratch_->counter.adds_up()) return {};
    status = scratch_->counter.count(out.view().substr(start), UINT64_MAX, tokens);
    if (status.failed()) out.resize_down(start);
    return status;
}

}  // namespace accp::context
