// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which results leave a conversation now: the rule of src/context/retention.h over a plain list.
#pragma once

#include <cstdint>
#include <vector>

namespace proxy {

struct DecisionPage {
    uint32_t tokens = 0;       // as it is sent now
    uint32_t stub_tokens = 0;  // of its stub
    uint32_t call = 0;         // how many calls of the model came before it
    bool may_leave = false;
    bool is_cached = false;  // the provider has it in its cache, and all pages before it
};

// Prices of a token, in thousandths of the price of a plain input token.
struct DecisionPrices {
    uint32_t read = 100, write = 1250, output = 5000;
};

struct Decision {
    uint64_t calls = 0;  // of the model, before this one
    DecisionPrices prices;
};

// Returns the places of the pages to evict, in order. The first page is the front.
std::vector<size_t> pages_to_evict(const std::vector<DecisionPage> &pages, const Decision &now);

}  // namespace proxy
