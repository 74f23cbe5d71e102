// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/pages.h"

#include <algorithm>

namespace accp::context {

namespace {

// The usual number of tokens of a line that replaces one page, and of one that replaces several.
constexpr uint32_t kLineTokens = 22, kJoinedTokens = 16;

// Returns whether a line may replace the unit: a result, or long words of an agent.
bool is_page(const Unit &unit) {
    if (unit.kind != UnitKind::kMessage || unit.source != Source::kResult || unit.level)
        return false;
    return !unit.words || unit.tokens >= Pages::kLongWords;
}

// The sum is bounded, because a damaged snapshot may have any numbers.
uint32_t with_media(const Unit &unit, uint64_t tokens) {
    return static_cast<uint32_t>(std::min<uint64_t>(tokens + unit.media_tokens(), UINT32_MAX));
}

}  // namespace

Page Pages::page_of(size_t i) const {
    const Unit &unit = state_.units[i];
    Page page;
    page.tokens = with_media(unit, unit.tokens);
    page.whole = with_media(unit, unit.whole);
    page.line = kLineTokens;
    page.call = unit.call;
    page.is_cached = i < state_.read;
    page.may_leave = i >= state_.pinned && is_page(unit);
    return page;
}

Retention Pages::retention() const {
    return {{options_.price_cached, options_.price_write, options_.price_output, options_.whole_max,
             options_.host_tokens},
            state_.pinned_tokens,
            state_.calls};
}

Eviction Pages::by_price(bool is_cold, Verdict *verdicts) const {
    const size_t pinned = state_.pinned, count = state_.units.size() - pinned;
    auto *pages = arena_.allocate<Page>(count);
    auto *evicts = arena_.allocate<bool>(count);
    auto *judged = arena_.allocate<Verdict>(count);
    for (size_t i = 0; i < count; ++i) pages[i] = page_of(pinned + i);
    const size_t first = retention().decide(pages, count, is_cold, evicts, judged);
    if (verdicts) std::copy(judged, judged + count, verdicts + pinned);
    if (first == count) return {};
    auto *fates = arena_.allocate<Fate>(pinned + count);
    std::fill(fates, fates + pinned + count, Fate::kStays);
    for (size_t i = first; i < count; ++i)
        if (evicts[i]) fates[pinned + i] = Fate::kLine;
    return {pinned + first, fates, is_cold ? EvictionCause::kExpired : EvictionCause::kPrice,
            static_cast<uint64_t>(judged[first].net)};
}

// Chooses the units that leave for space, in steps. Each step takes as many as it needs, the oldest
// first. The next step begins when there are no more.
class Pages::Room {
public:
    Room(const ContextState &state, size_t end, uint64_t max, uint64_t step, Fate *fates)
        : state_(state),
          end_(end),
          fates_(fates),
          max_(max),
          step_(step),
          left_(state.all_tokens()),
          present_(last_task()) {}

    void make() {
        take(Fate::kLine, [&](size_t i) { return is_read(i) && shortens(i); });
        take(Fate::kJoins, [&](size_t i) { return is_between(i); });
        take(Fate::kJoins, [&](size_t i) {
            return i > present_ && is_read(i) && state_.units[i].source != Source::kGuide;
        });
        take(Fate::kJoins,
             [&](size_t i) { return i < present_ && state_.units[i].source != Source::kGuide; });
        take(Fate::kLine, [&](size_t i) { return shortens(i); });
        take(Fate::kJoins, [&](size_t) { return true; });
    }
    size_t first() const { return first_; }

private:
    // Returns the unit of the present request, which may be pinned.
    size_t last_task() const {
        size_t i = end_;
        while (i > state_.pinned && state_.units[i - 1].source != Source::kTask) --i;
        return i ? i - 1 : 0;
    }
    bool is_read(size_t i) const { return state_.units[i].call < state_.calls; }
    bool shortens(size_t i) const {
        return is_page(state_.units[i]) && state_.units[i].tokens > kLineTokens;
    }
    // Returns whether the unit is neither a request that has ended nor its outcome, which is the
    // last words of an agent before the next request.
    bool is_between(size_t i) const {
        const Unit &unit = state_.units[i];
        if (i >= present_ || unit.source == Source::kTask || unit.source == Source::kGuide)
            return false;
        if (unit.source != Source::kResult || !unit.words) return true;
        while (++i < present_ && state_.units[i].source != Source::kTask)
            if (state_.units[i].words && state_.units[i].source == Source::kResult) return true;
        return false;
    }
    bool joins_before(size_t i) const {
        return i > state_.pinned && fates_[i - 1] == Fate::kJoins && state_.can_join(i);
    }
    uint64_t tokens_of(size_t i) const {
        const uint32_t tokens = state_.units[i].tokens;
        if (fates_[i] == Fate::kStays) return tokens;
        if (fates_[i] == Fate::kLine) return std::min(tokens, kLineTokens);
        return joins_before(i) ? 0 : std::min(tokens, kJoinedTokens);
    }

    template <class MayGo>
    void take(Fate fate, MayGo may_go) {
        if (left_ <= max_) return;
        const uint64_t leave = (left_ - max_ + step_ - 1) / step_ * step_;
        const uint64_t enough = left_ > leave ? left_ - leave : 0;
        bool follows = false;  // results leave with their call
        for (size_t i = state_.pinned; i < end_; ++i) {
            const bool is_rest =
                follows && fate == Fate::kJoins && state_.units[i].is_tool_result();
            if (left_ <= enough && !is_rest) return;
            follows = false;
            if (fates_[i] == fate || fates_[i] == Fate::kJoins || !may_go(i)) continue;
            const uint64_t before = tokens_of(i);
            fates_[i] = fate;
            left_ = left_ - std::min(left_, before) + tokens_of(i);
            first_ = std::min(first_, i);
            follows = fate == Fate::kJoins;
        }
    }

    const ContextState &state_;
    const size_t end_;
    Fate *fates_;
    const uint64_t max_, step_;
    uint64_t left_;
    const size_t present_;
    size_t first_ = SIZE_MAX;
};

Eviction Pages::for_room(size_t end, uint64_t max, uint64_t step) const {
    const size_t count = state_.units.size();
    auto *fates = arena_.allocate<Fate>(count);
    std::fill(fates, fates + count, Fate::kStays);
    Room room(state_, end, max, step, fates);
    room.make();
    return {room.first(), fates, EvictionCause::kSpace, 0};
}

}  // namespace accp::context
