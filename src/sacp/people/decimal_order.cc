// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See decimal_order.h.
#include "sacp/people/decimal_order.h"

#include "value/number.h"

namespace accp::present {

namespace {

using value::Decimal;

char next_digit(const char *&at, size_t &left) {
    if (!left) return '0';
    if (*at == '.') ++at;
    --left;
    return *at++;
}

// Of numbers other than zero, without their signs.
int compare_sizes(const Decimal &a, const Decimal &b) {
    const int64_t power_a = a.exponent + static_cast<int64_t>(a.digit_count),
                  power_b = b.exponent + static_cast<int64_t>(b.digit_count);
    if (power_a != power_b) return power_a < power_b ? -1 : 1;
    const char *at_a = a.digits, *at_b = b.digits;
    for (size_t left_a = a.digit_count, left_b = b.digit_count; left_a || left_b;) {
        const char digit_a = next_digit(at_a, left_a), digit_b = next_digit(at_b, left_b);
        if (digit_a != digit_b) return digit_a < digit_b ? -1 : 1;
    }
    return 0;
}

int sign(const Decimal &number) { return !number.digit_count ? 0 : number.negative ? -1 : 1; }

}  // namespace

int compare_numbers(std::string_view a, std::string_view b) {
    Decimal left = {}, right = {};
    const bool good_left = value::read_decimal(a, left), good_right = value::read_decimal(b, right);
    if (!good_left || !good_right)
        return static_cast<int>(good_right) - static_cast<int>(good_left);
    if (sign(left) != sign(right)) return sign(left) < sign(right) ? -1 : 1;
    return sign(left) * compare_sizes(left, right);
}

bool is_same_number(std::string_view word, std::string_view number) {
    const value::NumberToken token = value::scan_number(word.data(), word.data() + word.size());
    return token.len && token.len == word.size() && compare_numbers(word, number) == 0;
}

}  // namespace accp::present
