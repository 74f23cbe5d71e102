// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/retention.h"

#include <algorithm>

namespace accp::context {

namespace {

// The number of calls for which a decision is made: half as many as the session has had, but not
// more than this. A session may end at any call, and what was written again for nothing is lost.
constexpr uint64_t kMaxHorizon = 100;
// A model that misses a page asks for it in about so many tokens, and reads at most so many of it.
constexpr uint64_t kAskTokens = 50, kAnswerTokens = 2000;
// What hosts put in front of a context, if rule host_tokens does not say it: a coding agent has
// some 17,000 tokens of instructions and tools, a chat a few hundred.
constexpr uint64_t kUsualHostTokens = 10'000;
// Each eviction writes text that no cache has, so it must save at least so many tokens.
constexpr uint64_t kMinSaved = 500;
// The maximum tokens of a message. A larger number in a damaged snapshot must not make sums of
// prices overflow.
constexpr uint32_t kMaxTokens = 1 << 20;

uint64_t square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = uint64_t{1} << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

// The chance that a page is needed, in 65,536ths. Integers, so that every machine decides alike.
uint64_t chance_of_use(uint64_t age, uint64_t horizon) {
    return 65536 - square_root((age << 32) / (age + horizon));
}

}  // namespace

// Returns whether this unit can become a line. The model must have read it.
bool Retention::is_page(size_t i) const {
    const Unit &unit = state_.units[i];
    return i >= state_.pinned && unit.kind == UnitKind::kMessage && !unit.level &&
           unit.tokens > kStubTokens && unit.tokens <= kMaxTokens && unit.call < state_.calls;
}

// Returns whether prices may evict this unit.
bool Retention::may_go(size_t i) const {
    const Unit &unit = state_.units[i];
    return is_page(i) && unit.source == Source::kResult &&
           (!unit.words || unit.tokens >= kLongWords);
}

uint64_t Retention::price_of_call(const ContextOptions &options, uint64_t context_tokens) {
    const uint64_t host = options.host_tokens ? options.host_tokens : kUsualHostTokens;
    return options.price_cached * (context_tokens + host) + options.price_output * kAskTokens;
}

// Sets what evicting the page saves and costs.
void Retention::weigh(const Unit &unit, uint64_t context_tokens, bool is_cold, Verdict &out) const {
    const uint64_t read = options_.price_cached, written = options_.price_write,
                   horizon = std::clamp<uint64_t>(state_.calls / 2, 1, kMaxHorizon),
                   saved = unit.tokens - kStubTokens;
    const uint64_t miss = price_of_call(options_, context_tokens) +
                          written * std::min<uint64_t>(unit.whole, kAnswerTokens);
    out.gain = saved * (read * horizon + (is_cold ? written - read : 0));
    out.miss = chance_of_use(state_.calls - unit.call, horizon) * miss >> 16;
}

Eviction Retention::decide(bool is_cold, Verdict *verdicts) const {
    Eviction out;
    out.cause = is_cold ? EvictionCause::kExpired : EvictionCause::kPrice;
    const size_t count = state_.units.size();
    const uint64_t tokens = state_.all_tokens();
    if (tokens + options_.host_tokens <= options_.whole_max) return out;
    const uint64_t written_again = is_cold ? 0 : options_.price_write - options_.price_cached;
    auto *evicts = arena_.allocate<bool>(count);
    std::fill(evicts, evicts + count, false);
    // From the end: the pages from here on, and the text that is written again for them.
    int64_t value_so_far = 0, best = 0;
    uint64_t saved = 0, kept = 0;
    for (size_t i = count; i-- > state_.pinned;) {
        const Unit &unit = state_.units[i];
        Verdict verdict;
        verdict.may_go = may_go(i);
        if (verdict.may_go) weigh(unit, tokens, is_cold, verdict);
        evicts[i] = verdict.gain > verdict.miss;
        if (i < state_.read) kept += evicts[i] ? kStubTokens : unit.tokens;
        if (evicts[i]) {
            value_so_far += static_cast<int64_t>(verdict.gain - verdict.miss);
            saved += unit.tokens - kStubTokens;
        }
        verdict.is_weighed = true;
        verdict.value = value_so_far;
        verdict.kept = kept;
        if (verdicts) verdicts[i] = verdict;
        if (!evicts[i]) continue;
        const int64_t net = value_so_far - static_cast<int64_t>(written_again * kept);
        if (net <= best || saved < kMinSaved) continue;
        best = net;
        out.first = i;
    }
    out.evicts = evicts;
    out.saving = static_cast<uint64_t>(best);
    return out;
}

Eviction Retention::make_room(uint64_t max) const {
    Eviction out;
    out.cause = EvictionCause::kSpace;
    const size_t count = state_.units.size();
    auto *evicts = arena_.allocate<bool>(count);
    std::fill(evicts, evicts + count, false);
    uint64_t tokens = state_.all_tokens();
    for (const bool takes_acts : {false, true}) {
        for (size_t i = state_.pinned; i < count && tokens > max; ++i) {
            const Unit &unit = state_.units[i];
            if (evicts[i] || !is_page(i) || (unit.source == Source::kAct) != takes_acts) continue;
            if (unit.source == Source::kTask || unit.source == Source::kGuide) continue;
            evicts[i] = true;
            tokens -= unit.tokens - kStubTokens;
            out.first = std::min(out.first, i);
        }
    }
    out.evicts = evicts;
    return out;
}

}  // namespace accp::context
