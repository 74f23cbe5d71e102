// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides which pages of a context are evicted, and when. A page is a message; an evicted page is
// one line that names its ref.
//
// A page that stays costs its tokens at each call of the model, at the price of a cached read. A
// page that is missing when the model needs it costs a call: the model asks for it and reads it
// again. The chance of that falls with the age of the page, which is the number of calls that the
// model has made since the page came: a page of age a is needed within the next h calls with a
// chance of about 1 - sqrt(a / (a + h)). docs/notes/context-pages.md has the measurements.
//
// To evict a page, the text after it is written to the cache again. So pages are evicted together,
// and only if they save more than that costs. If the cache is cold, everything is written again
// anyway.
#pragma once

#include "base/arena.h"
#include "context/state.h"

namespace accp::context {

// What is evicted at once.
struct Eviction {
    size_t first = SIZE_MAX;       // the first unit; SIZE_MAX: nothing is evicted
    const bool *evicts = nullptr;  // for each unit; it counts from `first` on
    EvictionCause cause = EvictionCause::kPrice;
    uint64_t saving = 0;  // expected, in thousandths; 0 for space

    bool any() const { return first != SIZE_MAX; }
};

// How decide() judges a unit, in thousandths of a token of plain input.
struct Verdict {
    bool may_go = false;      // prices may evict it
    bool is_weighed = false;  // false: the context is short
    uint64_t gain = 0;        // what evicting it saves,
    uint64_t miss = 0;        // and costs, as the model may ask for it
    // Of it and all later pages whose gain is larger: what evicting them saves, and the tokens
    // after it that are written again then.
    int64_t value = 0;
    uint64_t kept = 0;
};

class Retention {
public:
    // Tokens of the line that replaces a page, about.
    static constexpr uint32_t kStubTokens = 22;
    // An agent's own words and calls stay as they are, unless they have so many tokens.
    static constexpr uint32_t kLongWords = 1000;

    // All are borrowed. The result of a call is in the arena.
    Retention(const ContextState &state, const ContextOptions &options, Arena &arena)
        : state_(state), options_(options), arena_(arena) {}

    // The pages that cost less if they are evicted now. `is_cold`: the provider has forgotten the
    // context. `verdicts`: for each unit; nullptr: the caller needs none.
    Eviction decide(bool is_cold, Verdict *verdicts = nullptr) const;
    // The oldest pages, so that at most `max` tokens are left, if there are enough pages. First
    // results, then what agents did. Everything that the model has not read yet stays.
    Eviction make_room(uint64_t max) const;

    // Returns the price of a call that asks for a page, without the page.
    static uint64_t price_of_call(const ContextOptions &options, uint64_t context_tokens);

private:
    bool is_page(size_t unit) const;
    bool may_go(size_t unit) const;
    void weigh(const Unit &unit, uint64_t context_tokens, bool is_cold, Verdict &out) const;

    const ContextState &state_;
    const ContextOptions &options_;
    Arena &arena_;
};

}  // namespace accp::context
