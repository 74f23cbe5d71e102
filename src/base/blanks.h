// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What stands around the words of people's texts: blanks, tabs and the ends of lines.
#pragma once

#include <string_view>

namespace accp {

constexpr std::string_view kBlanks = " \t\r\n";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The text without the blanks at either end.
constexpr std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace accp
