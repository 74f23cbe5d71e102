// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which pages leave, against a slow model that tries each place from which the pages could leave.
#include <gtest/gtest.h>

#include <cmath>

#include "proxy/decision.h"
#include "unit.h"

namespace {

using proxy::Decision;
using proxy::DecisionPage;
using Pages = std::vector<DecisionPage>;

// In floating point, from the formulas of docs/notes/context-pages.md.
double gain_of(const DecisionPage &page, const Decision &now, double all_tokens) {
    if (!page.may_leave || page.tokens <= page.stub_tokens || page.call >= now.calls) return 0;
    const double horizon = std::min<double>(100, std::max<double>(1, std::floor(now.calls / 2.0))),
                 age = static_cast<double>(now.calls - page.call),
                 saved = page.tokens - page.stub_tokens,
                 chance = 1 - std::sqrt(age / (age + horizon)),
                 miss = now.prices.read * all_tokens + now.prices.output * 50.0 +
                        now.prices.write * std::min(2000.0, double(page.tokens)),
                 cold = page.is_cached ? 0 : saved * (now.prices.write - now.prices.read);
    return saved * now.prices.read * horizon + cold - chance * miss;
}

double net_from(const Pages &pages, size_t first, const Decision &now, double all_tokens) {
    double net = 0, saved = 0;
    for (size_t i = first; i < pages.size(); ++i) {
        const double gain = gain_of(pages[i], now, all_tokens);
        const double left = gain > 0 ? pages[i].stub_tokens : pages[i].tokens;
        if (gain > 0) saved += pages[i].tokens - pages[i].stub_tokens;
        net += std::max(gain, 0.0);
        if (pages[i].is_cached) net -= (now.prices.write - now.prices.read) * left;
    }
    return saved < 500 ? 0 : net;
}

TEST(Decision, EqualsTheModel) {
    accp_unit::Random random(7);
    size_t evictions = 0, refusals = 0;
    for (int round = 0; round < 3000; ++round) {
        Pages pages = {{5000, 0, 0, false, true}};
        const auto calls = static_cast<uint32_t>(random.below(120));
        const size_t count = random.below(80),
                     cached = random.below(2) ? count : random.below(count + 1);
        for (size_t i = 0; i < count; ++i) {
            const auto call = static_cast<uint32_t>(i * calls / (count + 1));
            pages.push_back({static_cast<uint32_t>(random.below(3000)), 25, call,
                             random.below(2) == 0, i < cached});
        }
        double all_tokens = 0;
        for (const DecisionPage &page : pages) all_tokens += page.tokens;
        const Decision now = {calls, {}};
        double best = 0;
        for (size_t first = 0; first < pages.size(); ++first)
            best = std::max(best, net_from(pages, first, now, all_tokens));
        const std::vector<size_t> evicted = proxy::pages_to_evict(pages, now);
        for (size_t i = 0; i < evicted.size(); ++i) {
            EXPECT_TRUE(pages[evicted[i]].may_leave);
            EXPECT_TRUE(i == 0 || evicted[i] > evicted[i - 1]);
        }
        if (evicted.empty()) {
            EXPECT_LT(best, 1000) << "less than a token's price";
            ++refusals;
        } else {
            EXPECT_NEAR(net_from(pages, evicted.front(), now, all_tokens), best, best / 500 + 5000);
            ++evictions;
        }
    }
    EXPECT_GT(evictions, 300u);
    EXPECT_GT(refusals, 300u);
}

TEST(Decision, NothingOverflows) {
    Pages pages(50'000, {1 << 20, 20, 0, true, false});
    pages.push_back({UINT32_MAX, 0, 0, true, true});
    const Decision now = {UINT32_MAX, {100'000, 100'000, 100'000}};
    EXPECT_EQ(proxy::pages_to_evict(pages, now).size(), 50'000u);
    EXPECT_TRUE(proxy::pages_to_evict({}, now).empty());
}

}  // namespace
