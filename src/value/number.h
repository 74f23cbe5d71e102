// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers as text: their syntax, their exact decimal value, and the double nearest to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accp/types.h"

namespace accp::value {

// The longest JSON number at the beginning of `text`.
struct NumberToken {
    size_t len;    // 0: not a number
    uint8_t kind;  // ACCP_INT, ACCP_DEC, or ACCP_NUMBER (-0, -0.0, anything with an exponent)
};
NumberToken scan_number(const char *text, const char *end);

// Returns whether an encoder writes this decimal unchanged: one to six places, no trailing zero
// except a single place, not -0.0, and at most 17 digits before the point.
bool is_plain_decimal(std::string_view text);

// The parts of a number: value = (-1)^negative * digits * 10^exponent. The digits have no leading
// or trailing zeros.
struct Decimal {
    bool negative;
    const char *digits;  // first digit; skip a point between the digits
    size_t digit_count;  // 0 if the value is zero
    int64_t exponent;
};
// `text` must be a JSON number. Returns false if the exponent has more than kMaxExponentDigits
// digits.
bool read_decimal(std::string_view text, Decimal &out);

// Writes the number in the layout of RFC 8785, with its exact digits. `to` needs the length of the
// text and kLayoutRoom more bytes. Returns the end.
constexpr size_t kLayoutRoom = 48;
char *layout_number(const Decimal &number, char *to);

// Returns the double nearest to a number: infinite if the number is too large, 0 if it is too
// small. `text` must be a number of JSON, or a float of YAML without the sign +.
double to_double(std::string_view text);
// The same where the C++ library cannot read doubles.
double to_double_by_simdjson(std::string_view text);

}  // namespace accp::value
