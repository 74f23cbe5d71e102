// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Classes of bytes, in the names of the specification's grammar.
#pragma once

namespace accp {

constexpr bool is_digit(unsigned char c) { return static_cast<unsigned>(c - '0') < 10; }
constexpr bool is_alpha(unsigned char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; }
constexpr bool is_word(unsigned char c) { return is_digit(c) || is_alpha(c) || c == '_'; }  // of operation, key, ref label
constexpr bool is_agent(unsigned char c) { return is_word(c) || c == '-'; }
constexpr bool is_upper_hex(unsigned char c) { return is_digit(c) || static_cast<unsigned>(c - 'A') < 6; }

constexpr bool is_delimiter(unsigned char c) {
    switch (c) {
        case '@':
        case '>':
        case ':':
        case '{':
        case '}':
        case '[':
        case ']':
        case '|':
        case '$':
        case ',':
        case '~':
        case '\\': return true;
        default: return false;
    }
}

}  // namespace accp
