// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/people/plain_text.h"

#include "base/utf8.h"

namespace accp::sacp {

namespace {

constexpr uint32_t kReplacement = 0xFFFD;

bool is_line_end(uint32_t point) {
    return (point >= 0x09 && point <= 0x0D) || point == 0x85 || point == 0x2028 || point == 0x2029;
}
bool is_control(uint32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }
// Directional embeddings, overrides and isolates, which affect text after the value; a byte order
// mark; tag characters.
bool is_invisible(uint32_t point) {
    return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
           point == 0xFEFF || (point >= 0xE0000 && point <= 0xE007F);
}

void append(uint32_t point, Buffer<char> &out) { out.set_end(write_utf8(point, out.reserve(4))); }

}  // namespace

size_t find_control(std::string_view text) {
    const size_t valid = valid_utf8_prefix(text.data(), text.size());
    if (valid != text.size()) return valid;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        const char *begin = at;
        const uint32_t point = read_utf8(at);
        if (point != '\n' && point != '\t' && point != '\r' &&
            (is_control(point) || is_invisible(point)))
            return static_cast<size_t>(begin - text.data());
    }
    return text.npos;
}

void write_plain_text(std::string_view text, Buffer<char> &out) {
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        const uint32_t point = read_utf8(at);
        append(is_line_end(point)                         ? ' '
               : is_control(point) || is_invisible(point) ? kReplacement
                                                          : point,
               out);
    }
}

void to_utf16(std::string_view text, Buffer<char16_t> &out) {
    out.clear();
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        const uint32_t point = read_utf8(at);
        if (point < 0x10000) {
            out.push(static_cast<char16_t>(point));
            continue;
        }
        out.push(static_cast<char16_t>(0xD7C0 + (point >> 10)));
        out.push(static_cast<char16_t>(0xDC00 + (point & 0x3FF)));
    }
}

void from_utf16(const char16_t *text, size_t len, Buffer<char> &out) {
    for (size_t i = 0; i < len; ++i) {
        uint32_t point = text[i];
        const bool high = (point & 0xFC00) == 0xD800;
        if (high && i + 1 < len && (text[i + 1] & 0xFC00) == 0xDC00)
            point = 0x10000 + ((point & 0x3FF) << 10) + (text[++i] & 0x3FF);
        else if ((point & 0xF800) == 0xD800) point = kReplacement;
        append(point, out);
    }
}

}  // namespace accp::sacp
