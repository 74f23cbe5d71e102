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

}  // namespace accp::token
