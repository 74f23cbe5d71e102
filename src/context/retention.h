// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides which pages of a conversation are evicted, and when. A page is a message; an evicted page
// is one line that names it.
//
// A page that stays costs its tokens at each call of the model, at the price of a cached read. A
// page that is missing when the model needs it costs one more call, which fetches it. The chance of
// that falls with the age of the page, which is the number of calls since the page came: a page of
// age a is needed within the next h calls with a chance of about 1 - sqrt(a / (a + h)). Text that
// later pages repeat is not needed. docs/notes/context-pages.md has the measurements.
//
// To evict a page, the text after it is written to the cache again. So pages are evicted together,
// and only if they save more than that costs. If the cache is cold, everything is written again
// anyway.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::context {

// All sizes are tokens.
struct Page {
    uint32_t tokens = 0;     // in the context now
    uint32_t whole = 0;      // of the whole message, which a model reads if it fetches it
    uint32_t line = 0;       // of the line that replaces it
    uint32_t call = 0;       // calls of the model before the page came
    uint32_t repeated = 0;   // thousandths of its text that later pages have too
    bool may_leave = false;  // false: the line never replaces it
    bool is_cached = false;  // the model was called with it, so the provider has it in its cache
    // The provider can read its cache only up to certain pages. These tokens before the page are
    // written again if the page is the first one that is evicted.
    uint32_t rewritten_before = 0;
};

// Prices are thousandths of a token of plain input.
struct RetentionRules {
    uint32_t price_cached = 0, price_write = 0, price_output = 0;
    uint32_t whole_max = 0;    // a conversation of at most so many tokens stays whole
    uint32_t host_tokens = 0;  // in front of the conversation; 0: unknown
};

// How decide() judges a page, in thousandths of a token of plain input.
struct Verdict {
    bool is_weighed = false;  // false: the conversation is short, so every page stays
    bool may_leave = false;   // prices may evict it
    uint32_t saved = 0;       // tokens that it loses
    uint64_t gain = 0;        // the saving if it is evicted
    uint64_t miss = 0;        // the price of fetching it, times the chance of that
    // If all pages from here on whose gain is larger than their miss are evicted: the tokens that
    // are written again, and the saving minus their price.
    uint64_t rewritten = 0;
    int64_t net = 0;
};

class Retention {
public:
    // `front`: tokens of the conversation before its first page. `calls`: of the model, so far.
    Retention(const RetentionRules &rules, uint64_t front, uint32_t calls)
        : rules_(rules), front_(front), calls_(calls) {}

    // Chooses the pages that cost less if they are evicted now. Sets `evicts` for each page, and
    // returns the first page that is evicted, or `count`; `evicts` counts from it on. `is_cold`:
    // the provider has forgotten the conversation. `verdicts`: set for each page; may be nullptr.
    // Linear.
    size_t decide(const Page *pages, size_t count, bool is_cold, bool *evicts,
                  Verdict *verdicts = nullptr) const;

    // Returns the price of a call that fetches a page, without the page, in a conversation of so
    // many tokens. The unit is a thousandth of a token of plain input.
    uint64_t price_of_call(uint64_t tokens) const;

private:
    size_t choose(const Page *pages, size_t count, uint64_t left, bool is_cold, bool *evicts,
                  Verdict *verdicts, uint64_t &all_saved) const;
    uint64_t horizon() const;
    Verdict judge(const Page &page, uint64_t tokens, bool is_cold) const;

    const RetentionRules rules_;
    const uint64_t front_;
    const uint32_t calls_;
};

}  // namespace accp::context
