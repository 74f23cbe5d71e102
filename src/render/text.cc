// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See text.h.
#include "render/text.h"

#include "base/utf8.h"
#include "frame/raw.h"
#include "value/json_writer.h"
#include "value/number.h"

namespace accp {

namespace {

// What a bare text does not begin with: each of these begins something else.
bool begins_else(char c) { return c == '"' || c == '[' || c == '{' || c == '(' || c == '$' || c == ' '; }

// \uXXXX, two of them above U+FFFF.
char *write_unit(uint32_t unit, char *to) {
    constexpr char kHex[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) *to++ = kHex[unit >> shift & 15];
    return to;
}

char *write_point_escape(uint32_t point, char *to) {
    if (point < 0x10000) return write_unit(point, to);
    point -= 0x10000;
    return write_unit(0xDC00 + (point & 0x3FF), write_unit(0xD800 + (point >> 10), to));
}

}  // namespace

bool is_literal(std::string_view text) {
    if (text == "true" || text == "false" || text == "null") return true;
    char first = text.empty() ? '\0' : text[0];
    if (first != '-' && static_cast<unsigned>(first - '0') >= 10) return false;
    return scan_number(text.data(), text.data() + text.size()).len == text.size();
}

bool is_bare_text(std::string_view text, unsigned stops) {
    if (text.empty() || begins_else(text.front()) || text.back() == ' ' || text.back() == ':') return false;
    for (char c : text)
        if (text_byte(c) & stops) return false;
    const char *begin = text.data(), *end = begin + text.size();
    return !is_mark(kAbsent, begin, end) && !is_mark(kNull, begin, end) && !is_literal(text);
}

bool is_line_text(std::string_view text) { return !text.empty() && text.front() != ' ' && text.back() != ' ' && text.back() != ':'; }

bool is_bare_key(std::string_view key) {
    if (key.empty() || key[0] == '@' || key.substr(0, 3) == "...") return false;
    for (char c : key)
        if (text_byte(c) & kNoKeyByte) return false;
    return true;
}

void TextWriter::bare(std::string_view text) {
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        const char *plain = from;
        while (from < end && !(text_byte(*from) & kEscapedByte)) ++from;
        out.append(plain, static_cast<size_t>(from - plain));
        if (from == end) return;
        out.set_end(write_json_escape(static_cast<unsigned char>(*from++), out.room(kMostJsonEscape)));
    }
}

void TextWriter::quoted(std::string_view text) {
    if (!hides(text)) return write_json_string(text, out);
    put('"');
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        const char *begin = from;
        uint32_t point = read_utf8(from);
        if (point < 0x20 || point == '"' || point == '\\')
            out.set_end(write_json_escape(static_cast<unsigned char>(point), out.room(kMostJsonEscape)));
        else if (point < 0x7F || is_raw_point(point)) put({begin, static_cast<size_t>(from - begin)});
        else out.set_end(write_point_escape(point, out.room(2 * kMostJsonEscape)));
    }
    put('"');
}

bool TextWriter::hides(std::string_view text) const {
    if (!untrusted) return false;
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        uint32_t point = read_utf8(from);
        if (point >= 0x7F && !is_raw_point(point)) return true;
    }
    return false;
}

}  // namespace accp
