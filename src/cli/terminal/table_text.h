// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers, columns and JSON in the form that people read.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace cli {

// 12345 as "12,345".
inline std::string grouped(uint64_t number) {
    std::string text = std::to_string(number);
    for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

// 0.5 as "0.50" for two digits; NaN as "-".
inline std::string with_digits(double number, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, number);
    return std::isnan(number) ? "-" : text;
}

inline std::string right(const std::string &text, size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

inline std::string left(const std::string &text, size_t width) {
    return text + std::string(width - std::min(width, text.size()), ' ');
}

// Indents compact JSON by two spaces a level. `compact` must be valid JSON without spaces.
std::string pretty_json(std::string_view compact);

}  // namespace cli
