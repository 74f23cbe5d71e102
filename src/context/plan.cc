// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See plan.h. Rents and prices are in thousandths of the price of a token of plain input.
#include "context/plan.h"

#include <algorithm>
#include <cmath>

namespace accp::context {

namespace {

// What came of something closes to this share of it, in percent, but not to less than it takes to
// say what it was. What an agent did and what was asked stay whole, up to their bounds.
constexpr uint32_t kClosedShare = 15, kMin = 50;
constexpr uint32_t kMaxAct = 190, kMaxTask = 300;
// A closed one that closes again, in percent.
constexpr uint32_t kAgain = 40, kMinAgain = 24;
// What stays open of what was read: so many tokens, or a share of what is open.
constexpr uint32_t kOpenTail = 700, kOpenShare = 8;
// A fold that saves less is not worth its trouble: every one is a text that a cache does not have.
constexpr uint32_t kMinSaved = 500;
// A session goes on for so many calls, when it is asked what a kept token costs; and what one costs
// for so long where all but the newest calls read it from a cache at a tenth.
constexpr uint32_t kLife = 30, kUsualCost = 1000 + kLife * 100;

}  // namespace

uint32_t Planner::percent(const ContextOptions &options) {
    if (!options.price_write) return 100;
    const double cost = options.price_write + kLife * options.price_cached;
    return std::min(100u, static_cast<uint32_t>(100 * std::sqrt(kUsualCost / cost)));
}

uint32_t Planner::closed_tokens(const Unit &unit, uint32_t percent) {
    if (unit.kind != UnitKind::kMessage) return unit.kind == UnitKind::kFacts ? unit.tokens : 0;
    const uint32_t tokens = unit.tokens;
    auto scaled = [percent](uint32_t n) { return n * percent / 100; };
    if (unit.stated) return unit.tokens / 2;
    if (unit.level) return std::min(tokens, std::max(kMinAgain, tokens * kAgain / percent));
    if (unit.source == Source::kTask) return std::min(tokens, scaled(kMaxTask));
    if (unit.source != Source::kResult) return std::min(tokens, scaled(kMaxAct));
    return std::min(tokens, std::max(tokens * scaled(kClosedShare) / 100, scaled(kMin)));
}

Planner::Planner(const ContextState &state, const ContextOptions &options)
    : state_(state),
      options_(options),
      percent_(percent(options)),
      min_saved_(kMinSaved * percent_ / 100),
      tail_(state.units.size()),
      open_{state.open_tokens, state.open_after},
      closed_{state.closed_tokens, state.closed_after} {
    if (open_.now + closed_.now < open_.after + closed_.after + min_saved_) return;  // nothing pays
    const uint64_t room = std::max<uint64_t>(kOpenTail, open_.now / kOpenShare) * percent_ / 100;
    for (; tail_ > state.open; --tail_) {
        const Unit &unit = state.units[tail_ - 1];
        if (tail_ <= state.read) {
            if (again_ + unit.tokens > room) break;
            again_ += unit.tokens;
        }
        open_.now -= unit.tokens;
        open_.after -= closed_tokens(unit, percent_);
    }
}

void Planner::sum(const ContextOptions &options, ContextState &state) {
    state.pinned_tokens = state.tokens(0, state.pinned);
    state.closed_tokens = state.tokens(state.pinned, state.open);
    state.open_tokens = state.tokens(state.open, state.units.size());
    state.closed_after = state.open_after = 0;
    const uint32_t percent = Planner::percent(options);
    for (size_t i = state.pinned; i < state.units.size(); ++i)
        (i < state.open ? state.closed_after : state.open_after) +=
            closed_tokens(state.units[i], percent);
}

void Planner::rent(ContextState &state) const {
    state.rent += options_.price_cached * (open_.now - std::min(open_.now, open_.after));
    state.old_rent += options_.price_cached * (closed_.now - std::min(closed_.now, closed_.after));
}

bool Planner::pays(uint64_t rent, const Sizes &sizes, uint64_t again) const {
    const uint64_t price = options_.price_write - options_.price_cached;
    const uint64_t saved = sizes.now - std::min(sizes.now, sizes.after);
    return saved >= min_saved_ && rent >= price * again &&
           options_.price_cached * saved * state_.calls >= price * (sizes.after + again);
}

Range Planner::decide() const {
    const uint64_t all_tokens = state_.all_tokens() + options_.host_tokens;
    if (!options_.price_write || all_tokens < options_.whole_max * percent_ / 100) return {};
    const Sizes all = {open_.now + closed_.now, open_.after + closed_.after};
    if (closed_.now && pays(state_.old_rent, all, closed_.after + again_))
        return {state_.pinned, tail_};
    if (pays(state_.rent, open_, again_)) return {state_.open, tail_};
    return {};
}

}  // namespace accp::context
