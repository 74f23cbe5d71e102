// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The pages of a context, and which of them leave: by price (retention.h), or for room.
//
// A result becomes a line that names it. Where that is not enough, requests that have ended keep
// the request and its outcome, and everything between them becomes one line that names the first
// and the last message; then older parts of the present request do.
#pragma once

#include "base/arena.h"
#include "context/retention.h"
#include "context/state.h"

namespace accp::context {

enum class Fate : uint8_t {
    kStays,
    kLine,   // becomes a line of its own
    kJoins,  // becomes one line with the messages beside it that join too
};

// What is evicted at once.
struct Eviction {
    size_t first = SIZE_MAX;      // the first unit that changes; SIZE_MAX: nothing is evicted
    const Fate *fates = nullptr;  // of each unit
    EvictionCause cause = EvictionCause::kPrice;
    uint64_t saving = 0;  // expected, in thousandths of a token of plain input; 0 for space

    bool any() const { return first != SIZE_MAX; }
};

class Pages {
public:
    // An agent's own words and calls are no pages by price, unless they have so many tokens.
    static constexpr uint32_t kLongWords = 1000;

    // All are borrowed. The result of a call is in the arena.
    Pages(const ContextState &state, const ContextOptions &options, Arena &arena)
        : state_(state), options_(options), arena_(arena) {}

    // The pages that cost less if they are evicted now. `is_cold`: the provider has forgotten the
    // context. `verdicts`: set for each unit that is not pinned; may be nullptr.
    Eviction by_price(bool is_cold, Verdict *verdicts = nullptr) const;
    // The oldest pages before unit `end`, so that at most `max` tokens are left, if there are
    // enough pages. What leaves is rounded up to a multiple of `step`, so that the same pages leave
    // while the context grows by less. What the model has not read yet leaves last.
    Eviction for_room(size_t end, uint64_t max, uint64_t step = 1) const;

    // The price of a call in which the model asks for a page, without the page.
    uint64_t price_of_call() const { return retention().price_of_call(state_.all_tokens()); }

private:
    class Room;

    Page page_of(size_t unit) const;
    Retention retention() const;

    const ContextState &state_;
    const ContextOptions &options_;
    Arena &arena_;
};

}  // namespace accp::context
