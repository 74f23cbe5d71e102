// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See currency.h.
#include "codec/currency.h"

#include <algorithm>

namespace accp::profile {

namespace {

constexpr std::string_view kCurrencies[] = {
#define ACCP_CURRENCY(code) #code,
#include "codec/currencies.def"
#undef ACCP_CURRENCY
};

constexpr bool are_sorted() {
    for (size_t i = 1; i < std::size(kCurrencies); ++i)
        if (!(kCurrencies[i - 1] < kCurrencies[i])) return false;
    return true;
}
static_assert(are_sorted());

}  // namespace

bool is_currency(std::string_view code) {
    return std::binary_search(std::begin(kCurrencies), std::end(kCurrencies), code);
}

}  // namespace accp::profile
