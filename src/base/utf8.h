// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accp {

inline char *write_utf8(uint32_t point, char *to) {
    if (point < 0x80) {
        *to++ = static_cast<char>(point);
    } else if (point < 0x800) {
        *to++ = static_cast<char>(0xC0 | point >> 6);
        *to++ = static_cast<char>(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        *to++ = static_cast<char>(0xE0 | point >> 12);
        *to++ = static_cast<char>(0x80 | (point >> 6 & 0x3F));
        *to++ = static_cast<char>(0x80 | (point & 0x3F));
    } else {
        *to++ = static_cast<char>(0xF0 | point >> 18);
        *to++ = static_cast<char>(0x80 | (point >> 12 & 0x3F));
        *to++ = static_cast<char>(0x80 | (point >> 6 & 0x3F));
        *to++ = static_cast<char>(0x80 | (point & 0x3F));
    }
    return to;
}

// Returns the code point at `text`, which must be valid UTF-8, and advances `text`.
inline uint32_t read_utf8(const char *&text) {
    auto next = [&text] { return static_cast<unsigned char>(*text++); };
    uint32_t lead = next();
    if (lead < 0x80) return lead;
    if (lead < 0xE0) return (lead & 0x1F) << 6 | (next() & 0x3Fu);
    uint32_t second = next() & 0x3Fu;
    if (lead < 0xF0) return (lead & 0x0F) << 12 | second << 6 | (next() & 0x3Fu);
    uint32_t third = next() & 0x3Fu;
    return (lead & 0x07) << 18 | second << 12 | third << 6 | (next() & 0x3Fu);
}

// The text must be valid UTF-8.
inline size_t count_code_points(std::string_view text) {
    size_t count = 0;
    for (char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

// Returns whether all of the text is valid.
bool is_valid_utf8(std::string_view text);

// Returns the length of the longest prefix that consists of whole, valid code points.
size_t valid_utf8_prefix(const char *text, size_t len);

// Returns how many bytes at an invalid position a decoder replaces by one U+FFFD: the longest part
// of a sequence that was begun correctly (Unicode's maximal subpart), at least 1.
size_t broken_utf8_size(const char *text, size_t len);

}  // namespace accp
