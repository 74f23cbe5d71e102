// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The layout is that of ECMAScript's Number::toString, which RFC 8785 uses, but with the exact
// digits instead of the shortest digits of a double. Numbers with at most 15 significant digits get
// the same text as in RFC 8785, and all other values a text of their own.
#include "value/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/limits.h"

namespace simdjson::internal {
double from_chars(const char *first) noexcept;
}

namespace accp::value {

namespace {

bool digit(const char *p, const char *end) {
    return p < end && static_cast<unsigned char>(*p - '0') < 10;
}

const char *digits_end(const char *p, const char *end) {
    while (digit(p, end)) ++p;
    return p;
}

// A half between two doubles has at most 767 significant digits.
constexpr size_t kMaxDoubleDigits = 768;

// For a float outside the range of a double: returns true if it is too small, false if too large.
bool is_tiny(std::string_view text) {
    const size_t e = text.find_first_of("eE");
    const std::string_view mantissa = text.substr(0, e);
    const size_t first = mantissa.find_first_of("123456789"), point = mantissa.find('.');
    int64_t exponent = 0;
    if (e != text.npos) {
        const size_t begin = e + 1 + (text[e + 1] == '+');
        const char *const end = text.data() + text.size();
        if (std::from_chars(text.data() + begin, end, exponent).ec != std::errc{})
            return text[e + 1] == '-';
    }
    const size_t whole = point == text.npos ? mantissa.size() : point;
    return exponent < static_cast<int64_t>(first) - static_cast<int64_t>(whole);
}

}  // namespace

NumberToken scan_number(const char *text, const char *end) {
    const char *p = text;
    if (p < end && *p == '-') ++p;
    const char *integer = p;
    p = digits_end(p, end);
    if (p == integer || (*integer == '0' && p - integer > 1)) return {0, 0};
    bool zero = *integer == '0';
    uint8_t kind = ACCP_INT;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = digits_end(p, end);
        if (p == fraction) return {0, 0};
        for (const char *q = fraction; q < p; ++q) zero = zero && *q == '0';
        kind = ACCP_DEC;
    }
    if (zero && *text == '-') kind = ACCP_NUMBER;
    if (p < end && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p < end && (*p == '+' || *p == '-')) ++p;
        const char *exponent = p;
        p = digits_end(p, end);
        if (p == exponent) return {0, 0};
        kind = ACCP_NUMBER;
    }
    return {static_cast<size_t>(p - text), kind};
}

bool is_plain_decimal(std::string_view text) {
    size_t len = text.size(), places = 1;
    while (places <= static_cast<size_t>(kDecimalPlaces) && text[len - 1 - places] != '.') ++places;
    if (places > static_cast<size_t>(kDecimalPlaces) || (text.back() == '0' && places > 1))
        return false;
    size_t integer = len - 1 - places - (text[0] == '-');
    return integer <= static_cast<size_t>(kDecimalIntegerDigits) && text != "-0.0";
}

bool read_decimal(std::string_view text, Decimal &out) {
    const char *p = text.data(), *end = p + text.size();
    out.negative = *p == '-';
    p += out.negative;
    const char *mantissa_end = p;
    const char *point = nullptr;
    while (mantissa_end < end && (*mantissa_end | 0x20) != 'e') {
        if (*mantissa_end == '.') point = mantissa_end;
        ++mantissa_end;
    }
    int64_t exponent = 0;
    if (mantissa_end < end) {
        const char *from = mantissa_end + 1;
        bool down = *from == '-';
        from += *from == '-' || *from == '+';
        while (from < end - 1 && *from == '0') ++from;
        if (end - from > kMaxExponentDigits) return false;
        std::from_chars(from, end, exponent);
        if (down) exponent = -exponent;
    }
    if (point) exponent -= mantissa_end - point - 1;
    const char *last = mantissa_end;
    while (last > p && (last[-1] == '0' || last[-1] == '.')) {
        exponent += last[-1] == '0';
        --last;
    }
    while (p < last && (*p == '0' || *p == '.')) ++p;
    out.digits = p;
    out.digit_count = static_cast<size_t>(last - p) - (point && point > p && point < last ? 1 : 0);
    out.exponent = exponent;
    if (!out.digit_count) out.negative = false, out.exponent = 0;
    return true;
}

char *layout_number(const Decimal &number, char *to) {
    if (!number.digit_count) {
        *to++ = '0';
        return to;
    }
    if (number.negative) *to++ = '-';
    const char *from = number.digits;
    auto copy = [&](int64_t count) {
        for (; count > 0; --count) {
            if (*from == '.') ++from;
            *to++ = *from++;
        }
    };
    auto zeros = [&](int64_t count) {
        std::memset(to, '0', static_cast<size_t>(count));
        to += count;
    };
    auto k = static_cast<int64_t>(number.digit_count);
    int64_t n = k + number.exponent;  // position of the decimal point
    if (k <= n && n <= 21) {
        copy(k);
        zeros(n - k);
    } else if (0 < n && n <= 21) {
        copy(n);
        *to++ = '.';
        copy(k - n);
    } else if (-6 < n && n <= 0) {
        *to++ = '0';
        *to++ = '.';
        zeros(-n);
        copy(k);
    } else {
        copy(1);
        if (k > 1) *to++ = '.';
        copy(k - 1);
        *to++ = 'e';
        if (n > 0) *to++ = '+';
        to = std::to_chars(to, to + 24, n - 1).ptr;
    }
    return to;
}

double to_double(std::string_view text) {
#ifdef __cpp_lib_to_chars
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc::result_out_of_range) return number;
    if (is_tiny(text)) return 0;
    return text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
#else  // clang's library, for example, has from_chars() for integers only
    return to_double_by_simdjson(text);
#endif
}

double to_double_by_simdjson(std::string_view text) {
    Decimal number;
    if (!read_decimal(text, number)) {
        const bool is_zero = text.find_first_of("123456789") > text.find_first_of("eE");
        const double size = is_zero || is_tiny(text) ? 0 : HUGE_VAL;
        return text[0] == '-' ? -size : size;
    }
    // Its digits without a point, then an exponent. simdjson misreads some other forms.
    char normal[kMaxDoubleDigits + 32], *to = normal;
    if (text[0] == '-') *to++ = '-';
    const size_t count = std::min(number.digit_count, kMaxDoubleDigits);
    for (size_t i = 0; i < count; ++number.digits)
        if (*number.digits != '.') *to++ = *number.digits, ++i;
    // The rest is not 0. Only this matters, because no half has that many digits.
    if (count < number.digit_count) to[-1] |= 1;
    *to++ = 'e';
    const int64_t exponent = number.exponent + static_cast<int64_t>(number.digit_count - count);
    to = std::to_chars(to, to + 24, std::clamp<int64_t>(exponent, -5000, 5000)).ptr;
    *to = '\0';
    return simdjson::internal::from_chars(normal);
}

}  // namespace accp::value
