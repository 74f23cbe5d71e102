// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers as text: their form, and their exact decimal value. Nothing here ever becomes a double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accp/types.h"

namespace accp::value {

// The longest JSON number at the beginning of `text`.
struct NumberToken {
    size_t len;    // 0: none
    uint8_t kind;  // ACCP_INT, ACCP_DEC, or ACCP_NUMBER (-0, -0.0, anything with an exponent)
};
NumberToken scan_number(const char *text, const char *end);

// Is this the text of a decimal as an encoder writes it: one to six places, no zeros at the end but
// a lone one, not -0.0, at most 17 digits before?
bool is_plain_decimal(std::string_view text);

// A whole number text taken apart: value = (-1)^negative * digits * 10^exponent, the digits without
// leading and trailing zeros.
struct Decimal {
    bool negative;
    const char *digits;  // first digit; a point may stand between digits and is to be passed over
    size_t digit_count;  // 0: the value is zero
    int64_t exponent;
};
// False where the exponent has more digits than kMaxExponentDigits. `text` must be a JSON number.
bool read_decimal(std::string_view text, Decimal &out);

// Writes a number as RFC 8785 lays numbers out, from its exact digits. Needs kLayoutRoom + the
// length of the text. Returns the end.
constexpr size_t kLayoutRoom = 48;
char *layout_number(const Decimal &number, char *to);

}  // namespace accp::value
