// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/decision.h"

#include <algorithm>

namespace proxy {

namespace {

constexpr uint64_t kMaxHorizon = 100, kAskTokens = 50, kAnswerTokens = 2000, kMinSaved = 500;
constexpr uint32_t kMaxTokens = 1 << 20;     // of a page that leaves
constexpr uint64_t kMaxAllTokens = 1 << 24;  // so that no sum of prices overflows

uint64_t square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = uint64_t{1} << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

int64_t value_of(const DecisionPage &page, const Decision &now, uint64_t all_tokens) {
    const uint64_t read = now.prices.read, written = now.prices.write,
                   horizon = std::clamp<uint64_t>(now.calls / 2, 1, kMaxHorizon),
                   saved = page.tokens - page.stub_tokens, age = now.calls - page.call;
    const uint64_t gain = saved * read * horizon + (page.is_cached ? 0 : saved * (written - read));
    const uint64_t miss = read * all_tokens + now.prices.output * kAskTokens +
                          written * std::min<uint64_t>(page.tokens, kAnswerTokens);
    const uint64_t chance = 65536 - square_root((age << 32) / (age + horizon));
    return static_cast<int64_t>(gain) - static_cast<int64_t>(chance * miss >> 16);
}

}  // namespace

std::vector<size_t> pages_to_evict(const std::vector<DecisionPage> &pages, const Decision &now) {
    uint64_t all_tokens = 0;
    for (const DecisionPage &page : pages) all_tokens += page.tokens;
    all_tokens = std::min(all_tokens, kMaxAllTokens);
    const uint64_t written_again = now.prices.write - now.prices.read;
    std::vector<size_t> taken;
    size_t size = 0;
    int64_t value = 0, best = 0;
    uint64_t saved = 0, kept = 0;
    for (size_t i = pages.size(); i-- > 0;) {
        const DecisionPage &page = pages[i];
        const bool may_leave = page.may_leave && page.tokens > page.stub_tokens &&
                               page.tokens <= kMaxTokens && page.call < now.calls;
        const int64_t gain = may_leave ? value_of(page, now, all_tokens) : 0;
        if (gain <= 0) {
            kept += page.is_cached ? page.tokens : 0;
            continue;
        }
        taken.push_back(i);
        value += gain;
        saved += page.tokens - page.stub_tokens;
        kept += page.is_cached ? page.stub_tokens : 0;
        const int64_t net = value - static_cast<int64_t>(written_again * kept);
        if (net <= best || saved < kMinSaved) continue;
        best = net;
        size = taken.size();
    }
    taken.resize(size);
    std::reverse(taken.begin(), taken.end());
    return taken;
}

}  // namespace proxy
