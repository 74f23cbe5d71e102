// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Classes of bytes, in the names of the specification's grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace accp {

constexpr bool is_digit(unsigned char c) { return static_cast<unsigned>(c - '0') < 10; }
constexpr bool is_alpha(unsigned char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; }
// of operation, key, ref label
constexpr bool is_word(unsigned char c) { return is_digit(c) || is_alpha(c) || c == '_'; }
constexpr bool is_agent(unsigned char c) { return is_word(c) || c == '-'; }
constexpr bool is_upper_hex(unsigned char c) {
    return is_digit(c) || static_cast<unsigned>(c - 'A') < 6;
}
// Of a hexadecimal digit in any case; -1: it is none.
constexpr int hex_digit(unsigned char c) {
    if (is_digit(c)) return c - '0';
    return static_cast<unsigned>((c | 0x20) - 'a') < 6 ? (c | 0x20) - 'a' + 10 : -1;
}
// Of ASCII; others as they are.
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

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

// The same as bits of a table, where a loop asks about every byte of a text.
enum ByteClass : unsigned char {
    kAlphaByte = 1,
    kWordByte = 2,
    kAgentByte = 4,
    kSafeByte = 8,
    kDelimiterByte = 16
};

struct ByteClasses {
    unsigned char at[256] = {};
    constexpr ByteClasses() {
        for (int i = 0; i < 256; ++i) {
            auto c = static_cast<unsigned char>(i);
            bool visible = c > 0x20 && c < 0x7F;
            at[i] = static_cast<unsigned char>(
                is_alpha(c) * kAlphaByte | is_word(c) * kWordByte | is_agent(c) * kAgentByte |
                (visible && !is_delimiter(c)) * kSafeByte | is_delimiter(c) * kDelimiterByte);
        }
    }
};
inline constexpr ByteClasses kByteClasses;

inline unsigned char byte_class(char c) { return kByteClasses.at[static_cast<unsigned char>(c)]; }

// Texts that begin with one of these may look like something other than a string; no others do.
struct SuspectBytes {
    bool at[256] = {};
    constexpr SuspectBytes() {
        for (unsigned char c :
             {'"', '-', '=', 't', 'f', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'})
            at[c] = true;
    }
};
inline constexpr SuspectBytes kSuspectBytes;

// May so many bytes be read from here whatever stands after the text? Where they are in one page,
// of which the text has a byte. Sanitizers would report them.
inline bool may_read_on([[maybe_unused]] const char *from, [[maybe_unused]] size_t size) {
#if defined(ACCP_EXACT_READS)
    return false;
#else
    constexpr uintptr_t kMinPage = 4096;
    return reinterpret_cast<uintptr_t>(from) % kMinPage <= kMinPage - size;
#endif
}

inline bool is_suspect(char c) { return kSuspectBytes.at[static_cast<unsigned char>(c)]; }

}  // namespace accp
