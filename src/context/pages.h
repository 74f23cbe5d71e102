// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chooses the pages of a context that are evicted, by price (retention.h) or for space.
//
// A result becomes a line that names it. If that does not make enough space, requests that have
// ended keep the request and its outcome, and one line replaces everything between them; it names
// the first and the last message. Then older parts of the present request become such a line.
#pragma once

#include "base/arena.h"
#include "context/retention.h"
#include "context/state.h"

namespace accp::context {

enum class Fate : uint8_t {
    kStays,
    kLine,   // becomes a line of its own
    kJoins,  // becomes part of a line that names several messages
};

// The units that one eviction changes.
struct Eviction {
    size_t first = SIZE_MAX;      // the first unit that changes; SIZE_MAX: nothing is evicted
    const Fate *fates = nullptr;  // of each unit
    EvictionCause cause = EvictionCause::kPrice;
    uint64_t saving = 0;  // expected, in thousandths of a token of plain input; 0 for space

    bool any() const { return first != SIZE_MAX; }
};

class Pages {
public:
    // Prices evict the words of an agent only if they have at least this many tokens.
    static constexpr uint32_t kLongWords = 1000;

    // Returns whether gaps may replace known lines of the unit: in a result, and in long words of
    // an agent or a user.
    static bool can_have_gaps(const Unit &unit) {
        return unit.is_tool_result() ||
               (unit.whole >= kLongWords &&
                (unit.source == Source::kTask || unit.source == Source::kResult));
    }

    // All are borrowed. The result of a call is in the arena.
    Pages(const ContextState &state, const ContextOptions &options, Arena &arena)
        : state_(state), options_(options), arena_(arena) {}

    // Returns the pages that cost less if they are evicted now. `is_cold`: the provider has
    // forgotten the context. `verdicts`: set for each unit that is not pinned; may be nullptr.
    Eviction by_price(bool is_cold, Verdict *verdicts = nullptr) const;
    // Returns the oldest pages before unit `end`, so that at most `max` tokens are left, if there
    // are enough pages. The number of tokens that leave is rounded up to a multiple of `step`: the
    // choice stays the same while the context grows by less. Messages that the model has not read
    // yet leave last.
    Eviction for_room(size_t end, uint64_t max, uint64_t step = 1) const;

    // Returns the price of a call of `resolve`, without the page that it returns.
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
