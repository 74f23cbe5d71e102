// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers as text by their exact values.
#pragma once

#include <string_view>

namespace accp::present {

// Below 0, 0, or above 0. Both are JSON numbers; an exponent beyond what is read counts as the
// largest.
int compare_numbers(std::string_view a, std::string_view b);

// Is a word that number? One that is no number is none.
bool is_same_number(std::string_view word, std::string_view number);

}  // namespace accp::present
