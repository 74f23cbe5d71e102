// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// UTF-8 for tests.
#include "reference/ref_utf8.h"

#include <algorithm>

namespace accp_ref {
namespace {

struct Range {
    char32_t first, last;
};

// The exclusions of docs/wire.md 3, in its order.
const Range kNotRaw[] = {{0xAD, 0xAD},     {0x600, 0x605},   {0x61C, 0x61C},   {0x6DD, 0x6DD},
                         {0x70F, 0x70F},   {0x115F, 0x115F}, {0x1160, 0x1160}, {0x1680, 0x1680},
                         {0x17B4, 0x17B4}, {0x17B5, 0x17B5}, {0x180E, 0x180E}, {0x2000, 0x200F},
                         {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000}, {0x3164, 0x3164},
                         {0xD800, 0xF8FF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
                         {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}};

size_t length_by_lead(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// Returns whether the bytes begin a raw code point: tries each one that the remaining bits allow.
bool begins_raw_code_point(std::string_view bytes) {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    if (lead < 0xC2 || lead > 0xF4) return false;  // not the first byte of any code point
    const size_t length = length_by_lead(lead);
    char32_t first = lead & (0x7Fu >> length);
    for (size_t i = 1; i < bytes.size(); ++i)
        first = first << 6 | (static_cast<unsigned char>(bytes[i]) & 63u);
    const size_t open_bits = 6 * (length - bytes.size());
    first <<= open_bits;
    // below this value the bytes would be an overlong form
    const char32_t shortest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    for (char32_t point = std::max(first, shortest); point < first + (char32_t{1} << open_bits);
         ++point) {
        if (!is_raw_code_point(point)) continue;
        std::string encoded;
        append_code_point(point, encoded);
        if (encoded.substr(0, bytes.size()) == bytes) return true;
    }
    return false;
}

}  // namespace

void append_code_point(char32_t point, std::string &out) {
    const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
        put(0xC0 | point >> 6);
        return put(0x80 | (point & 63));
    }
    if (point < 0x10000) {
        put(0xE0 | point >> 12);
    } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 63));
    }
    put(0x80 | (point >> 6 & 63));
    put(0x80 | (point & 63));
}

std::optional<std::vector<char32_t>> code_points(std::string_view utf8) {
    std::vector<char32_t> points;
    for (size_t at = 0; at < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[at]);
        const size_t length = length_by_lead(lead);
        if (at + length > utf8.size()) return std::nullopt;
        char32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
        for (size_t i = 1; i < length; ++i)
            point = point << 6 | (static_cast<unsigned char>(utf8[at + i]) & 63u);
        // an overlong form or a stray byte does not encode to the same bytes again
        std::string again;
        append_code_point(point, again);
        if (again != utf8.substr(at, length) || point > 0x10FFFF ||
            (point >= 0xD800 && point <= 0xDFFF))
            return std::nullopt;
        points.push_back(point);
        at += length;
    }
    return points;
}

bool is_raw_code_point(char32_t point) {
    if (point < 0xA1 || point >= 0xE0000 || (point & 0xFFFE) == 0xFFFE) return false;
    for (const Range &range : kNotRaw) {
        if (point >= range.first && point <= range.last) return false;
    }
    return true;
}

int raw_code_point_length(std::string_view text) {
    for (size_t n = 1;; ++n) {
        if (n > text.size() || !begins_raw_code_point(text.substr(0, n)))
            return -static_cast<int>(n);
        if (n == length_by_lead(static_cast<unsigned char>(text[0]))) return static_cast<int>(n);
    }
}

}  // namespace accp_ref
