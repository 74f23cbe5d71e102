// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/retention.h"

#include <algorithm>

namespace accp::context {

namespace {

// A decision looks ahead half as many calls as the session has had, but at most this many. A
// session may end at any call, and an eviction that comes late does not pay back.
constexpr uint64_t kMaxHorizon = 100;
// The output tokens of a call that fetches a page, and the maximum tokens that it reads of the
// page.
constexpr uint64_t kAskTokens = 50, kAnswerTokens = 2000;
// The assumed number of tokens in front of a context if the rule host_tokens is 0. A coding agent
// has some 17,000 tokens of instructions and tools, a chat a few hundred.
constexpr uint64_t kUsualHostTokens = 10'000;
// The minimum tokens that an eviction must save, since each one writes text that no cache has.
constexpr uint64_t kMinSaved = 500;
// Pages leave when their rent so far has paid this part, as 1 / n, of what their eviction costs. An
// eviction that would only just pay waits for more pages: each one writes the same text again.
constexpr uint64_t kMinPaid = 2;
// A decision assumes how many tokens it leaves. It is made at most so many times, until it leaves
// what it assumes.
constexpr int kMaxRounds = 4;
// The maximum tokens of a page that is evicted, and that count of any page. A larger number, from a
// damaged snapshot, must not make sums of prices overflow.
constexpr uint32_t kMaxTokens = 1 << 20;

uint64_t square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = uint64_t{1} << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

// Returns the chance that a page is needed, in 65,536ths. Integers give the same decisions on every
// machine.
uint64_t chance_of_use(uint64_t age, uint64_t horizon) {
    return 65536 - square_root((age << 32) / (age + horizon));
}

}  // namespace

uint64_t Retention::horizon() const { return std::clamp<uint64_t>(calls_ / 2, 1, kMaxHorizon); }

uint64_t Retention::price_of_call(uint64_t tokens) const {
    const uint64_t host = rules_.host_tokens ? rules_.host_tokens : kUsualHostTokens;
    return rules_.price_cached * (tokens + host) + rules_.price_output * kAskTokens;
}

// Sets all but the sums over later pages.
Verdict Retention::judge(const Page &page, uint64_t tokens, bool is_cold) const {
    Verdict out;
    out.is_weighed = true;
    if (page.call >= calls_ || page.tokens > kMaxTokens) return out;
    if (!page.may_leave || page.tokens <= page.line) return out;
    out.may_leave = true;
    out.saved = page.tokens - page.line;
    const uint64_t write = is_cold ? rules_.price_write - rules_.price_cached : 0;
    out.gain = out.saved * (rules_.price_cached * horizon() + write);
    const uint64_t miss =
        price_of_call(tokens) + rules_.price_write * std::min<uint64_t>(page.whole, kAnswerTokens);
    out.miss = chance_of_use(calls_ - page.call, horizon()) * miss >> 16;
    out.miss = out.miss * (1000 - std::min<uint64_t>(page.repeated, 1000)) / 1000;
    return out;
}

size_t Retention::decide(const Page *pages, size_t count, bool is_cold, bool *evicts,
                         Verdict *verdicts) const {
    uint64_t tokens = front_;
    for (size_t i = 0; i < count; ++i) tokens += std::min(pages[i].tokens, kMaxTokens);
    if (verdicts) std::fill(verdicts, verdicts + count, Verdict());
    if (tokens + rules_.host_tokens <= rules_.whole_max) return count;
    // A page that is fetched is read in the context that the eviction leaves. The smaller that is,
    // the less a fetch costs, and the more pages leave. If they stayed now, the next call would
    // evict them, and the same text would be written again twice.
    uint64_t left = tokens;
    size_t first = count;
    for (int round = 0; round < kMaxRounds; ++round) {
        uint64_t saved = 0;
        first = choose(pages, count, left, is_cold, evicts, verdicts, saved);
        if (left == tokens - saved) break;
        left = tokens - saved;
    }
    return first;
}

// Chooses the pages if the context has `left` tokens afterwards. `all_saved`: set to the tokens
// that leave.
size_t Retention::choose(const Page *pages, size_t count, uint64_t left, bool is_cold, bool *evicts,
                         Verdict *verdicts, uint64_t &all_saved) const {
    const uint64_t written_again = is_cold ? 0 : rules_.price_write - rules_.price_cached;
    // From the end: the sums over this page and all later ones. `paid`: the rent that those which
    // leave have paid.
    int64_t value = 0, best = 0;
    uint64_t saved = 0, kept = 0, paid = 0;
    size_t first = count;
    for (size_t i = count; i-- > 0;) {
        const Page &page = pages[i];
        Verdict verdict = judge(page, left, is_cold);
        evicts[i] = verdict.gain > verdict.miss;
        const uint64_t less = evicts[i] ? verdict.saved : 0;
        if (page.is_cached) kept += std::min(page.tokens, kMaxTokens) - less;
        if (evicts[i]) value += static_cast<int64_t>(verdict.gain - verdict.miss);
        saved += less;
        paid += less * rules_.price_cached * std::min<uint64_t>(calls_ - page.call, kMaxHorizon);
        verdict.rewritten = kept + page.rewritten_before;
        verdict.net = value - static_cast<int64_t>(written_again * verdict.rewritten);
        if (verdicts) verdicts[i] = verdict;
        if (!evicts[i] || verdict.net <= best || saved < kMinSaved) continue;
        if (paid * kMinPaid < written_again * verdict.rewritten) continue;
        best = verdict.net;
        first = i;
        all_saved = saved;
    }
    return first;
}

}  // namespace accp::context
