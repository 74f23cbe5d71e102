// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// When messages close, and how small they become: decided by price, as in renting or buying.
//
// A text that stays as it is costs its tokens at each call of a model at the price of a cached read
// (the rent). A shorter one in its place must be written once, and so must all that stands after it
// and was cached (the price). So it is written when two things are so: the rent so far, beyond what
// the shorter text would have cost, is as much as what stands after it costs to write again; and
// what it will save pays for it, if the session goes on for as many calls as it has had.
#pragma once

#include "context/state.h"

namespace accp::context {

// Units to be made one checkpoint: [first, last). None where both are the same.
struct Range {
    size_t first = 0, last = 0;
};

class Planner {
public:
    // Both are borrowed.
    Planner(const ContextState &state, const ContextOptions &options);

    // A model was called: what could be smaller has cost rent.
    void rent(ContextState &state) const;
    Range decide() const;

    // The first unit that stays open whatever closes: what a model has not read yet, and of what
    // came before that as much as next_to() says.
    size_t tail() const { return tail_; }
    // Sets the sums of a state's tokens.
    static void sum(const ContextOptions &options, ContextState &state);
    // By how much smaller things close, and the earlier, where reading is not cheap: by the root of
    // what a kept token costs against one with a cache at a tenth. At most 100.
    static uint32_t percent(const ContextOptions &options);
    // What a unit is to have when it closes (again), under options of this percent().
    static uint32_t closed_tokens(const Unit &unit, uint32_t percent);

private:
    struct Sizes {
        uint64_t now = 0, after = 0;
    };
    bool pays(uint64_t rent, const Sizes &sizes, uint64_t again) const;

    const ContextState &state_;
    const ContextOptions &options_;
    const uint32_t percent_;
    const uint64_t min_saved_;
    size_t tail_ = 0;
    uint64_t again_ = 0;   // tokens of the tail that were read already
    Sizes open_, closed_;  // what could close: without the tail
};

}  // namespace accp::context
