// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/yaml_plain.h"

#include <charconv>
#include <cmath>
#include <initializer_list>

#include "accp/types.h"
#include "base/bytes.h"
#include "value/number.h"

namespace accp::value {

namespace {

// RFC 8785: the largest exact integer of a double
constexpr uint64_t kMaxInteger = (uint64_t{1} << 53) - 1;
constexpr size_t kMaxDoubleText = 32;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    for (std::string_view word : words)
        if (text == word) return true;
    return false;
}

size_t count_digits(std::string_view text, size_t at) {
    size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - at;
}

bool is_sign(std::string_view text, size_t at) {
    return at < text.size() && (text[at] == '-' || text[at] == '+');
}

struct Integer {
    std::string_view digits;
    int base = 0;  // 0: not an integer
    bool negative = false;
};

Integer as_integer(std::string_view text) {
    for (const int base : {8, 16}) {
        if (text.substr(0, 2) != (base == 8 ? "0o" : "0x") || text.size() == 2) continue;
        const std::string_view digits = text.substr(2);
        constexpr std::string_view kDigits =
            "01234567"
            "89abcdefABCDEF";
        if (digits.find_first_not_of(kDigits.substr(0, base == 8 ? 8 : kDigits.size())) ==
            digits.npos)
            return {digits, base, false};
    }
    const size_t sign = is_sign(text, 0);
    if (text.size() == sign || count_digits(text, sign) != text.size() - sign) return {};
    return {text.substr(sign), 10, text[0] == '-'};
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
    size_t at = is_sign(text, 0);
    const size_t whole = count_digits(text, at);
    at += whole;
    if (at < text.size() && text[at] == '.') {
        const size_t fraction = count_digits(text, ++at);
        if (!whole && !fraction) return false;
        at += fraction;
    } else if (!whole) {
        return false;
    }
    if (at < text.size() && (text[at] | 0x20) == 'e') {
        ++at;
        at += is_sign(text, at);
        const size_t exponent = count_digits(text, at);
        if (!exponent) return false;
        at += exponent;
    }
    return at == text.size();
}

bool is_infinite_or_nan(std::string_view text) {
    if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return true;
    return is_one_of(text.substr(is_sign(text, 0)), {".inf", ".Inf", ".INF"});
}

bool read_digits(const Integer &integer, uint64_t &out) {
    const char *const end = integer.digits.data() + integer.digits.size();
    const auto read = std::from_chars(integer.digits.data(), end, out, integer.base);
    return read.ec == std::errc{} && out <= kMaxInteger;
}

PlainScalar write_integer(const Integer &integer, Buffer<char> &out) {
    uint64_t number = 0;
    if (!read_digits(integer, number)) return {ACCP_INT, false, false};
    if (integer.negative && number) out.push('-');
    char *const to = out.reserve(kMaxDoubleText);
    out.set_end(std::to_chars(to, to + kMaxDoubleText, number).ptr);
    return {ACCP_INT};
}

PlainScalar write_float(std::string_view text, Buffer<char> &out) {
    if (text[0] == '+') text.remove_prefix(1);
    double number = to_double(text);
    if (std::isinf(number)) return {ACCP_NUMBER, false, false};
    if (number == 0) number = 0;  // turns -0.0 into 0
    char *const to = out.reserve(kMaxDoubleText), *const end =
                                                      std::to_chars(to, to + kMaxDoubleText, number)
                                                          .ptr;
    out.set_end(end);
    return {scan_number(to, end).kind};
}

}  // namespace

bool is_plain_null(std::string_view text) {
    return text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"});
}

PlainScalar resolve_plain(std::string_view text, Buffer<char> &out) {
    if (is_plain_null(text)) return {ACCP_NULL};
    if (is_one_of(text, {"true", "True", "TRUE"})) return {ACCP_BOOL, true};
    if (is_one_of(text, {"false", "False", "FALSE"})) return {ACCP_BOOL, false};
    if (is_infinite_or_nan(text)) return {ACCP_NUMBER, false, false};
    const Integer integer = as_integer(text);
    if (integer.base) return write_integer(integer, out);
    if (is_float(text)) return write_float(text, out);
    return {ACCP_STRING};
}

bool read_plain_count(std::string_view text, uint64_t &out) {
    const Integer integer = as_integer(text);
    uint64_t number = 0;
    if (!integer.base || !read_digits(integer, number) || (integer.negative && number))
        return false;
    out = number;
    return true;
}

}  // namespace accp::value
