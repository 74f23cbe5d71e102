// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the patterns of pre-tokenisers ask about a code point, by Unicode 16. The table is
// script/unicode's.
#pragma once

#include <cstdint>

namespace accp::token {

enum PointFlag : uint8_t {
    kUpper = 1,          // Lu, Lt
    kLower = 2,          // Ll
    kOtherLetter = 4,    // Lm, Lo: in both halves of a word
    kMark = 8,           // M: likewise, but no letter
    kNumber = 16,        // N
    kSpace = 32,         // White_Space, which is \s
    kNewline = 64,       // CR, LF
    kPunctuation = 128,  // P, S
    kLetter = kUpper | kLower | kOtherLetter
};

extern const uint8_t kUnicodeBlocks[], kUnicodeFlags[];

// One code point of valid UTF-8.
struct Point {
    uint32_t flags;
    uint32_t size;

    bool is(uint32_t any) const { return (flags & any) != 0; }
};

inline uint32_t point_flags(uint32_t point) {
    return kUnicodeFlags[kUnicodeBlocks[point >> 7] * 128u + (point & 127)];
}

inline Point point_at(const char *text) {
    auto byte = [text](int i) {
        return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
    };
    uint32_t lead = byte(0);
    if (lead < 0x80) return {point_flags(lead), 1};
    if (lead < 0xE0) return {point_flags((lead & 0x1F) << 6 | (byte(1) & 0x3F)), 2};
    if (lead < 0xF0)
        return {point_flags((lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)), 3};
    return {point_flags((lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
                        (byte(3) & 0x3F)),
            4};
}

// What the patterns have in common, one code point at a time.

// After the code points that have one of these flags.
inline const char *skip_any(const char *text, const char *end, uint32_t flags) {
    while (text < end) {
        Point point = point_at(text);
        if (!point.is(flags)) break;
        text += point.size;
    }
    return text;
}
// After those that have none of them.
inline const char *skip_none(const char *text, const char *end, uint32_t flags) {
    while (text < end) {
        Point point = point_at(text);
        if (point.is(flags)) break;
        text += point.size;
    }
    return text;
}

// \p{N}{1,most}
inline const char *number_end(const char *text, const char *end, uint32_t max) {
    for (uint32_t i = 0; i < max && text < end; ++i) {
        Point point = point_at(text);
        if (!point.is(kNumber)) break;
        text += point.size;
    }
    return text;
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)? : U+017F is an s to whoever ignores case.
inline const char *contraction_end(const char *text, const char *end) {
    if (end - text < 2 || *text != '\'') return text;
    auto lower = [text](int i) { return text[i] | 0x20; };
    char first = static_cast<char>(lower(1));
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return text + 2;
    if (end - text < 3) return text;
    if (text[1] == '\xC5' && text[2] == '\xBF') return text + 3;
    char second = static_cast<char>(lower(2));
    bool two = (first == 'l' && second == 'l') || ((first == 'v' || first == 'r') && second == 'e');
    return two ? text + 3 : text;
}

// \s*[\r\n]+|\s+(?!\S)|\s+ , where a white space begins.
inline const char *space_end(const char *text, const char *end) {
    const char *newline = nullptr, *last = text, *at = text;
    while (at < end) {
        Point point = point_at(at);
        if (!point.is(kSpace)) break;
        last = at;
        at += point.size;
        if (point.is(kNewline)) newline = at;
    }
    if (newline) return newline;
    return at == end || last == text ? at : last;
}

// ` ?[^\s\p{L}\p{N}]+[\r\n]*`, or NULL where there is no such thing. not_marks: what may not be in
// it; slashes: what may follow.
inline const char *punctuation_end(const char *text, const char *end, uint32_t but, bool slashes) {
    const char *from = text + (*text == ' '), *at = skip_none(from, end, but);
    if (at == from) return nullptr;
    while (at < end && (*at == '\r' || *at == '\n' || (slashes && *at == '/'))) ++at;
    return at;
}

}  // namespace accp::token
