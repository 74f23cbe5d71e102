// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Extension w1 (docs/wire.md 10): a string that is a quantity in words goes as the symbols of
// specification 3.3, and nothing else does.
//
//   words    = sign SP number [SP "percent"] / number SP "percent"
//   symbols  = symbol number ["%"] / number "%"
//   sign     = "plus" / "minus" / "greater than" / "less than"
//   symbol   = "+" / "-" / ">" / "<", in this order
//   number   = (0 / digit 1-9 *DIGIT) ["." 1*DIGIT]
//
// "minus" has its symbol only before a percentage: -12 is a number. Each text of one form stands
// for one text of the other.
#pragma once

#include <string_view>

namespace accp::frame {

struct Quantity {
    char sign = 0;            // a symbol; 0: none
    std::string_view number;  // empty: the text is no quantity
    bool percent = false;
};

// By which the words of a quantity are longer than its symbols, at most.
constexpr size_t kMaxWordsGrowth = 24;

Quantity read_words(std::string_view text);
Quantity read_symbols(std::string_view text);

// Both return the end. Symbols are as long as the words at most; words have room for
// kMaxWordsGrowth more.
char *write_symbols(const Quantity &quantity, char *to);
char *write_words(const Quantity &quantity, char *to);

}  // namespace accp::frame
