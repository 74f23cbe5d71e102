// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "render/text.h"

#include "base/utf8.h"
#include "frame/raw.h"
#include "value/json_writer.h"
#include "value/number.h"

namespace accp::render {

namespace {

// Bytes that begin other syntax, so that bare texts cannot begin with them.
bool begins_syntax(char c) {
    return c == '"' || c == '[' || c == '{' || c == '(' || c == '$' || c == ' ';
}

// Writes \uXXXX; code points above U+FFFF need two of these.
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
    return value::scan_number(text.data(), text.data() + text.size()).len == text.size();
}

bool is_bare_text(std::string_view text, unsigned stops) {
    if (text.empty() || begins_syntax(text.front()) || text.back() == ' ' || text.back() == ':')
        return false;
    for (char c : text)
        if (text_byte(c) & stops) return false;
    const char *begin = text.data(), *end = begin + text.size();
    return !is_mark(kAbsent, begin, end) && !is_mark(kNull, begin, end) && !is_literal(text);
}

bool is_line_text(std::string_view text) {
    return !text.empty() && text.front() != ' ' && text.back() != ' ' && text.back() != ':';
}

bool looks_like_record(std::string_view text) {
    static constexpr std::string_view kSigns[] = {
        "@", "$", "(", "\xEF\xBC\xA0", "\xEF\xB9\xAB", "\xEF\xBC\x84", "\xEF\xB9\xA9"};
    const auto is_plain = [](char c) {
        return c > ' ' && c < 0x7F && c != '@' && c != '$' && c != '(';
    };
    if (!text.empty() && is_plain(text[0])) return false;  // nearly all texts
    const char *from = text.data(), *end = from + text.size(), *seen = from;
    while (from < end) {
        seen = from;
        const uint32_t point = read_utf8(from);
        if (point < 0x7F ? point > ' ' : frame::is_raw_point(point)) break;
        seen = from;
    }
    text.remove_prefix(static_cast<size_t>(seen - text.data()));
    for (std::string_view sign : kSigns)
        if (text.substr(0, sign.size()) == sign) return true;
    return false;
}

bool is_bare_key(std::string_view key) {
    if (key.empty() || key.substr(0, 3) == "..." || (key[0] != '$' && looks_like_record(key)))
        return false;
    for (char c : key)
        if (text_byte(c) & kNoKeyByte) return false;
    return true;
}

// Returns whether a code point is always escaped.
bool TextWriter::is_escaped(uint32_t point) const {
    if (point < 0x7F) return point < 0x20 || point == '\\';
    if (untrusted) return !frame::is_raw_point(point);
    return point < 0xA0 || point == 0x61C || point == 0x200E || point == 0x200F ||
           (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
           (point >= 0xE0000 && point < 0xE0080);
}

void TextWriter::bare(std::string_view text) {
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        const char *plain = from;
        while (from < end && !(text_byte(*from) & (kEscapedByte | kMarkByte))) ++from;
        out.append(plain, static_cast<size_t>(from - plain));
        if (from == end) return;
        point(from, false);
    }
}

// Writes one code point, escaped if necessary.
void TextWriter::point(const char *&from, bool quotes) {
    const char *begin = from;
    const uint32_t point = read_utf8(from);
    if (!is_escaped(point) && !(quotes && point == '"'))
        put({begin, static_cast<size_t>(from - begin)});
    else if (point < 0x7F)
        out.set_end(value::write_json_escape(static_cast<unsigned char>(point),
                                             out.reserve(value::kMaxJsonEscape)));
    else out.set_end(write_point_escape(point, out.reserve(2 * value::kMaxJsonEscape)));
}

void TextWriter::quoted(std::string_view text) {
    if (!needs_escape(text)) return value::write_json_string(text, out);
    put('"');
    for (const char *from = text.data(), *end = from + text.size(); from < end;) point(from, true);
    put('"');
}

bool TextWriter::needs_escape(std::string_view text) const {
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        if (!(text_byte(*from) & kMarkByte) &&
            !(untrusted && static_cast<unsigned char>(*from) >= 0x80)) {
            ++from;
            continue;
        }
        if (is_escaped(read_utf8(from))) return true;
    }
    return false;
}

}  // namespace accp::render
