// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/raw.h"

namespace accp::frame {

namespace {

struct Range {
    uint32_t first, last;
};

// Code points between U+00A1 and U+DFFFF that are escaped, in order (docs/wire.md 3). U+xxFFFE and
// U+xxFFFF are escaped too.
constexpr Range kEscaped[] = {
    {0xAD, 0xAD},     {0x600, 0x605},   {0x61C, 0x61C},   {0x6DD, 0x6DD},   {0x70F, 0x70F},
    {0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5}, {0x180E, 0x180E}, {0x2000, 0x200F},
    {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000}, {0x3164, 0x3164}, {0xD800, 0xF8FF},
    {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
};
constexpr uint32_t kFirstRaw = 0xA1, kLastRaw = 0xDFFFF;

// Returns whether any code point of [first, last] is allowed. The points differ only in their low
// bits. A range of 64 or more points has an allowed one, unless all of them are escaped.
bool any_raw(uint32_t first, uint32_t last) {
    for (uint32_t point = first; point <= last && point <= kLastRaw; ++point) {
        if (is_raw_point(point)) return true;
        for (const Range &range : kEscaped)
            if (range.first <= point && point <= range.last) point = range.last;
    }
    return false;
}

}  // namespace

bool is_raw_point(uint32_t point) {
    if (point > 0x3164 && point < 0xD800) return true;  // most of CJK, and all of Hangul
    if (point > 0xAD && point < 0x600) return true;     // Latin to Hebrew
    if (point < kFirstRaw || point > kLastRaw || (point & 0xFFFE) == 0xFFFE) return false;
    for (const Range &range : kEscaped)
        if (point <= range.last) return point < range.first;
    return true;
}

namespace {

constexpr int kSizes[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 3, 4};
constexpr uint32_t kMin[] = {0, 0, 0x80, 0x800, 0x10000};

// Returns how many bytes of an invalid or incomplete code point of `size` bytes can be continued to
// an allowed one.
int good_bytes(const char *text, size_t len, int size) {
    uint32_t point = 0;
    for (int i = 0; i < size; ++i) {
        if (static_cast<size_t>(i) >= len) return i;
        auto byte = static_cast<unsigned char>(text[i]);
        if (i > 0 && (byte & 0xC0) != 0x80) return i;
        point = i == 0 ? byte & (0x7F >> size) : point << 6 | (byte & 0x3F);
        uint32_t first = point << 6 * (size - 1 - i),
                 last = ((point + 1) << 6 * (size - 1 - i)) - 1;
        if (first < kMin[size]) first = kMin[size];
        if (first > last || !any_raw(first, last)) return i;
    }
    return size;
}

}  // namespace

int raw_point(const char *text, size_t len, int *good) {
    auto byte = [text](int i) { return static_cast<unsigned char>(text[i]); };
    int size = byte(0) < 0xF5 ? kSizes[byte(0) >> 4] : 0;
    bool whole = size > 0 && static_cast<size_t>(size) <= len;
    uint32_t point = whole ? byte(0) & (0x7F >> size) : 0;
    for (int i = 1; whole && i < size; ++i) {
        whole = (byte(i) & 0xC0) == 0x80;
        point = point << 6 | (byte(i) & 0x3F);
    }
    if (whole && point >= kMin[size] && is_raw_point(point)) return size;
    *good = good_bytes(text, len, size);
    return 0;
}

size_t raw_text_prefix(const char *text, size_t len) {
    for (size_t i = 0; i < len;) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            ++i;
            continue;
        }
        int good = 0;
        int size = raw_point(text + i, len - i, &good);
        if (!size) return i + static_cast<size_t>(good);
        i += static_cast<size_t>(size);
    }
    return len;
}

}  // namespace accp::frame
