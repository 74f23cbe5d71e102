// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See q1.h: the writing half.
#include "base/bytes.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "frame/q1.h"
#include "frame/quantity.h"
#include "frame/raw.h"

namespace accp::frame {

namespace {

bool may_stand_raw(uint32_t point, bool raw) {
    return point < 0x80 ? point > 0x20 && point < 0x7F : raw && is_raw_point(point);
}

bool is_plain(std::string_view text, bool raw) {
    if (text.empty() || looks_otherwise(text)) return false;
    for (const char *p = text.data(), *end = p + text.size(); p < end;)
        if (!may_stand_raw(read_utf8(p), raw)) return false;
    return true;
}

char *write_percent(uint32_t byte, char *to) {
    constexpr char kHex[] = "0123456789ABCDEF";
    *to++ = '%';
    *to++ = kHex[byte >> 4];
    *to++ = kHex[byte & 15];
    return to;
}

// One code point inside %u…;: six digits, or x and seven.
char *write_point(uint32_t point, char *to) {
    int digits = point > 999999 ? 7 : 6;
    if (digits == 7) *to++ = 'x';
    for (int i = digits - 1; i >= 0; --i, point /= 10) to[i] = static_cast<char>('0' + point % 10);
    return to + digits;
}

// One ASCII character inside the quotes; `next` is the source character after it, 0 at the end.
char *write_quoted_ascii(const char *next, const char *end, unsigned char c, char *to) {
    unsigned char after = next < end ? static_cast<unsigned char>(*next) : 0;
    if (c == ' ') {
        if (after == ' ' || after == '_') return write_percent(c, to);
        *to++ = '_';
        return to;
    }
    if (c < 0x20 || c == 0x7F) return write_percent(c, to);
    if (c == '%') {
        unsigned char second = end - next > 1 ? static_cast<unsigned char>(next[1]) : 0;
        bool ambiguous = after == 'u' || (is_upper_hex(after) && is_upper_hex(second));
        if (ambiguous) return write_percent(c, to);
    } else if (c == '_') {
        *to++ = '_';
    } else if (is_delimiter(c)) {
        *to++ = '\\';
    }
    *to++ = static_cast<char>(c);
    return to;
}

inline bool is_numbered(uint32_t point, bool raw) {
    return point > 0xFF && !may_stand_raw(point, raw);
}

// Does the next run begin within so many characters?
bool reaches_run(const char *p, const char *end, uint32_t bridge, bool raw) {
    for (uint32_t i = 0; p < end && i <= bridge; ++i)
        if (is_numbered(read_utf8(p), raw)) return true;
    return false;
}

// Style: QuoteStyle, or what docs/wire.md has, at no cost.
template <class Style>
[[gnu::always_inline]] inline void write_quoted_as(std::string_view text, bool raw, Style style,
                                                   Buffer<char> &out) {
    char *to = out.reserve((style.bridge ? 6 : 5) * text.size() + 16);
    const char *p = text.data(), *end = p + text.size();
    bool run = false;  // inside %u…;
    *to++ = '"';
    while (p < end) {
        const char *start = p;
        uint32_t point = read_utf8(p);
        bool numbered = is_numbered(point, raw) ||
                        (style.bridge && run && reaches_run(start, end, style.bridge, raw));
        if (run && !numbered) *to++ = ';';
        if (numbered) {
            if (!run) *to++ = '%', *to++ = 'u';
            to = write_point(point, to);
        } else if (style.wide_space && point == ' ') {
            to = write_percent(point, to);
        } else if (point < 0x80) {
            to = write_quoted_ascii(p, end, static_cast<unsigned char>(point), to);
        } else if (may_stand_raw(point, raw)) {
            for (; start < p; ++start) *to++ = *start;
        } else {
            to = write_percent(point, to);
        }
        run = numbered;
    }
    if (run) *to++ = ';';
    *to++ = '"';
    out.set_end(to);
}

struct OwnStyle {
    static constexpr uint32_t bridge = 0;
    static constexpr bool wide_space = false;
};
void write_quoted(std::string_view text, bool raw, Buffer<char> &out) {
    write_quoted_as(text, raw, OwnStyle{}, out);
}

// w1: words as symbols; a text that is symbols itself in quotes. False for any other text.
bool write_quantity(std::string_view text, Buffer<char> &out) {
    if (const Quantity words = read_words(text); !words.number.empty()) {
        out.set_end(write_symbols(words, out.reserve(text.size() + 1)));
        return true;
    }
    if (read_symbols(text).number.empty()) return false;
    write_quoted(text, false, out);
    return true;
}

void write_plain(std::string_view text, Buffer<char> &out) {
    char *to = out.reserve(2 * text.size());
    for (char c : text) {
        if (is_delimiter(static_cast<unsigned char>(c))) *to++ = '\\';
        *to++ = c;
    }
    out.set_end(to);
}

}  // namespace

bool looks_like_literal(std::string_view text) {
    unsigned char first = static_cast<unsigned char>(text[0]);
    switch (first) {
        case 't': return text == "true";
        case 'f': return text == "false";
        case '"': return is_quoted(text);
        case '=': {
            size_t digit = text.size() > 1 && text[1] == '-' ? 2 : 1;
            return text.size() > digit && is_digit(static_cast<unsigned char>(text[digit]));
        }
        default: break;
    }
    if (!is_digit(first) && first != '-') return false;
    size_t at = first == '-';
    size_t start = at;
    auto digits = [&] {
        while (at < text.size() && is_digit(static_cast<unsigned char>(text[at]))) ++at;
    };
    digits();
    if (at == start) return false;
    if (at == text.size()) return true;
    if (text[at++] != '.') return false;
    start = at;
    digits();
    return at > start && at == text.size();
}

char *write_escaped_string(std::string_view text, char *to) {
    if (text.empty() || looks_otherwise(text)) return nullptr;
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        const Bytes16 bytes = Bytes16::load(from);
        bytes.store(to);
        const size_t left = static_cast<size_t>(end - from), width = left < 16 ? left : 16;
        const uint32_t unsafe = bytes.unsafe() & ((uint32_t{1} << width) - 1);
        const size_t safe = unsafe ? static_cast<size_t>(__builtin_ctz(unsafe)) : width;
        from += safe;
        to += safe;
        if (!unsafe) continue;
        if (!is_delimiter(static_cast<unsigned char>(*from))) return nullptr;
        *to++ = '\\';
        *to++ = *from++;
    }
    return to;
}

void write_quoted_string(std::string_view text, bool raw, QuoteStyle style, Buffer<char> &out) {
    write_quoted_as(text, raw, style, out);
}

bool write_wire_string(std::string_view text, Spelling spelling, Buffer<char> &out) {
    if (spelling.symbols && write_quantity(text, out)) return true;
    if (write_plain_string(text.data(), text.size(), out.reserve(text.size()))) {
        out.advance(text.size());
        return true;
    }
    if (char *end = write_escaped_string(text, out.reserve(2 * text.size()))) out.set_end(end);
    else if (spelling.raw && is_plain(text, true)) write_plain(text, out);
    else if (spelling.q1) write_quoted(text, spelling.raw, out);
    else return false;
    return true;
}

int write_decimal(std::string_view text, Buffer<char> &out) {
    size_t point = text.find('.');
    while (text.back() == '0' && text.size() > point + 2) text.remove_suffix(1);
    if (text == "-0.0") text.remove_prefix(1), --point;
    out.append(text);
    return static_cast<int>(text.size() - point - 1);
}

bool write_wire_number(std::string_view text, uint8_t kind, Spelling spelling, Buffer<char> &out) {
    if (kind == ACCP_INT) {
        out.append_padded(text.data(), text.size());
        return true;
    }
    if (kind == ACCP_DEC) {
        size_t start = out.size();
        (void)write_decimal(text, out);
        if (is_plain_decimal({out.data() + start, out.size() - start})) return true;
        if (!spelling.q1) return false;
        size_t len = out.size() - start;
        out.reserve(1);
        std::memmove(out.data() + start + 1, out.data() + start, len);
        out[start] = '=';
        out.advance(1);
        return true;
    }
    if (!spelling.q1) return false;
    out.push('=');
    bool negative_zero = text.find_first_not_of("-0.") == std::string_view::npos &&
                         text.find('.') != std::string_view::npos;
    if (negative_zero) text = "-0.0";  // a fraction, so its trailing zeros are stripped
    out.append(text);
    return true;
}

}  // namespace accp::frame
