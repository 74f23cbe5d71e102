// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a provider with a cache of prefixes bills: a token that stood at the same place in the call
// before is read from the cache, all others are written to it.
#pragma once

#include <cstdint>

#include "cli/arguments/arguments.h"

namespace cli {

// Of a token, in thousandths of one of plain input. As the rules price_cached and price_write have
// them where no --rule says.
struct Prices {
    uint64_t cached = 100;
    uint64_t write = 1000;
};

// By the rules that were given. price_write=0 closes nothing, and is no price: then the default.
// Throws Failure.
Prices prices_of(const Arguments &arguments);

// Of the calls of a run.
class Bill {
public:
    void add(const Prices &prices, uint64_t tokens, uint64_t shared) {
        tokens_ += tokens;
        thousandths_ += prices.cached * shared + prices.write * (tokens - shared);
    }
    uint64_t tokens() const { return tokens_; }
    // in thousandths of a token of plain input
    uint64_t total() const { return thousandths_; }

private:
    uint64_t tokens_ = 0;
    uint64_t thousandths_ = 0;
};

}  // namespace cli
