// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The writing half of scalar.h.
#include "base/bytes.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "frame/raw.h"
#include "frame/scalar.h"

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

// The three decimal digits of each number below 1000.
struct Thousand {
    char at[1000][4] = {};
    constexpr Thousand() {
        for (int i = 0; i < 1000; ++i) {
            at[i][0] = static_cast<char>('0' + i / 100);
            at[i][1] = static_cast<char>('0' + i / 10 % 10);
            at[i][2] = static_cast<char>('0' + i % 10);
        }
    }
};
constexpr Thousand kThousand;

// Writes one code point inside %u…;: six digits, or x and seven digits. `to` needs space for 9
// bytes.
char *write_point(uint32_t point, char *to) {
    if (point > 999999) {
        *to++ = 'x';
        *to++ = '1';
        point -= 1000000;
    }
    std::memcpy(to, kThousand.at[point / 1000], 4);
    std::memcpy(to + 3, kThousand.at[point % 1000], 4);
    return to + 6;
}

// The quoted form of each ASCII character: up to three bytes, the first in the lowest byte, and
// their count in the top byte. A space and a percent sign have two forms, and the next character
// decides between them. The longer form is at the index of the character itself, the shorter one at
// an index above ASCII.
struct QuotedForms {
    static constexpr uint8_t kNarrowSpace = 0x80, kBarePercent = 0x81;

    uint32_t at[kBarePercent + 1] = {};
    constexpr QuotedForms() {
        constexpr unsigned char kHex[] = "0123456789ABCDEF";
        for (unsigned c = 0; c < 0x80; ++c) {
            if (c <= 0x20 || c == 0x7F || c == '%')
                at[c] = '%' | kHex[c >> 4] << 8 | kHex[c & 15] << 16 | 3 << 24;
            else if (is_delimiter(static_cast<unsigned char>(c))) at[c] = '\\' | c << 8 | 2 << 24;
            else at[c] = c | 1 << 24;
        }
        at[size_t{'_'}] = '_' | '_' << 8 | 2 << 24;
        at[kNarrowSpace] = '_' | 1 << 24;
        at[kBarePercent] = '%' | 1 << 24;
    }
};
constexpr QuotedForms kQuotedForms;

// `to` needs space for 4 bytes.
[[gnu::always_inline]] inline char *write_form(uint32_t form, char *to) {
    std::memcpy(to, &form, sizeof form);
    return to + (form >> 24);
}

// Returns whether a percent sign before `next` would be read as an escape.
bool begins_escape(const char *next, const char *end) {
    const unsigned char first = next < end ? static_cast<unsigned char>(*next) : 0;
    const unsigned char second = end - next > 1 ? static_cast<unsigned char>(next[1]) : 0;
    return first == 'u' || (is_upper_hex(first) && is_upper_hex(second));
}

// Returns the index of the form of `c`, the character before `next`.
[[gnu::always_inline]] inline uint8_t place_of(const char *next, const char *end, uint8_t c,
                                               bool wide_space) {
    if (c == '%' && !begins_escape(next, end)) return QuotedForms::kBarePercent;
    if (c == ' ' && !wide_space && (next == end || (*next != ' ' && *next != '_')))
        return QuotedForms::kNarrowSpace;
    return c;
}
[[gnu::always_inline]] inline char *write_quoted_byte(const char *at, const char *end,
                                                      bool wide_space, char *to) {
    return write_form(kQuotedForms.at[place_of(at + 1, end, static_cast<uint8_t>(*at), wide_space)],
                      to);
}

#if defined(__SSE2__)

// 16 bytes of a text that has at least two more bytes. Marks the spaces that become `_` (narrow: no
// space or `_` follows, and wide_space is not set), and the percent signs that need no escape
// (bare).
struct QuotedBlock {
    Bytes16 bytes;
    __m128i narrow, bare;

    QuotedBlock(const char *from, bool wide_space) : bytes(Bytes16::load(from)) {
        const Bytes16 next = Bytes16::load(from + 1);
        narrow = wide_space ? _mm_setzero_si128() : narrow_of(bytes, next);
        const __m128i percent = is(bytes, '%');
        bare = percent;
        if (_mm_movemask_epi8(percent)) {
            const __m128i hex = _mm_and_si128(hex_of(next), hex_of(Bytes16::load(from + 2)));
            bare = _mm_andnot_si128(_mm_or_si128(is(next, 'u'), hex), percent);
        }
    }
    static __m128i narrow_of(Bytes16 bytes, Bytes16 next) {
        return _mm_andnot_si128(_mm_or_si128(is(next, ' '), is(next, '_')), is(bytes, ' '));
    }
    static __m128i is(Bytes16 block, char c) { return _mm_cmpeq_epi8(block.v, _mm_set1_epi8(c)); }
    static __m128i hex_of(Bytes16 block) {  // upper case
        const __m128i digit = Bytes16::at_max(_mm_sub_epi8(block.v, _mm_set1_epi8('0')), 9),
                      letter = Bytes16::at_max(_mm_sub_epi8(block.v, _mm_set1_epi8('A')), 5);
        return _mm_or_si128(digit, letter);
    }
    static __m128i flips(__m128i where, int bits) {
        return _mm_and_si128(where, _mm_set1_epi8(static_cast<char>(bits)));
    }
    // The characters that written() cannot write: all that need an escape, except narrow spaces and
    // bare percent signs.
    uint32_t special() const {
        const uint32_t percent = bytes.equal('%'),
                       spaces = static_cast<uint32_t>(_mm_movemask_epi8(narrow)),
                       bares = static_cast<uint32_t>(_mm_movemask_epi8(bare));
        return (bytes.unsafe() & ~spaces) | bytes.equal('_') | (percent & ~bares);
    }
    // The bytes in quoted form, valid up to the first special or non-ASCII character.
    Bytes16 written() const { return written(bytes, narrow); }
    static Bytes16 written(Bytes16 bytes, __m128i narrow) {
        return {_mm_xor_si128(bytes.v, flips(narrow, ' ' ^ '_'))};
    }
    // Returns whether all 16 are spaces that become %20.
    bool is_wide_space() const {
        const __m128i wide = _mm_andnot_si128(narrow, is(bytes, ' '));
        return _mm_movemask_epi8(wide) == 0xFFFF;
    }
    Bytes16 places() const {
        const __m128i marks = _mm_or_si128(flips(narrow, ' ' ^ QuotedForms::kNarrowSpace),
                                           flips(bare, '%' ^ QuotedForms::kBarePercent));
        return {_mm_xor_si128(bytes.v, marks)};
    }
};

// Writes 16 ASCII characters without a branch for each.
[[gnu::always_inline]] inline char *write_forms(const QuotedBlock &block, char *to) {
    if (__builtin_expect(block.is_wide_space(), 0)) {
        constexpr char kSpaces[] = "%20%20%20%20%20%20%20%20%20%20%20%20%20%20%20%20";
        std::memcpy(to, kSpaces, 48);
        return to + 48;
    }
    struct {
        uint8_t at[16];
    } places;
    block.places().store(reinterpret_cast<char *>(places.at));
    asm("" : "+m"(places));  // keeps the compiler from storing them again for each load
    for (uint8_t place : places.at) to = write_form(kQuotedForms.at[place], to);
    return to;
}

// Writes 16 ASCII characters, of which few are special. What follows a special one is copied as a
// vector of the text.
[[gnu::always_inline]] inline char *write_few(const QuotedBlock &block, uint32_t special,
                                              const char *from, bool wide_space, char *to) {
    block.written().store(to);
    const char *const last = from + 16;
    for (uint32_t rest = special; rest; rest &= rest - 1) {
        const char *at = last - 16 + __builtin_ctz(rest);
        to = write_form(kQuotedForms.at[static_cast<uint8_t>(*at)], to + (at - from));
        from = at + 1;
        const Bytes16 bytes = Bytes16::load(from);
        const __m128i narrow = wide_space ? _mm_setzero_si128()
                                          : QuotedBlock::narrow_of(bytes, Bytes16::load(from + 1));
        QuotedBlock::written(bytes, narrow).store(to);
    }
    return to + (last - from);
}

// Returns whether more than three bits are set.
constexpr bool has_many(uint32_t bits) {
    for (int i = 0; i < 3; ++i) bits &= bits - 1;
    return bits != 0;
}

// Writes ASCII characters up to the first non-ASCII one. `to` needs space for their longest form
// and 48 bytes more. Both buffers have a Buffer's slack.
[[gnu::always_inline]] inline char *write_quoted_ascii(const char *&from, const char *end,
                                                       bool wide_space, char *to) {
    while (end - from > 18) {  // a block and the two bytes after it, which decide its last forms
        const QuotedBlock block(from, wide_space);
        const uint32_t high = block.bytes.high(), special = block.special() & ~high;
        if (high) {
            const uint32_t before = special & ((high & -high) - 1);
            to = write_few(block, before, from, wide_space, to) - 16 + __builtin_ctz(high);
            from += __builtin_ctz(high);
            return to;
        }
        to = has_many(special) ? write_forms(block, to)
                               : write_few(block, special, from, wide_space, to);
        from += 16;
    }
    for (; from < end && static_cast<uint8_t>(*from) < 0x80; ++from)
        to = write_quoted_byte(from, end, wide_space, to);
    return to;
}

#else

char *write_quoted_ascii(const char *&from, const char *end, bool wide_space, char *to) {
    for (; from < end && static_cast<uint8_t>(*from) < 0x80; ++from)
        to = write_quoted_byte(from, end, wide_space, to);
    return to;
}

#endif

inline bool is_numbered(uint32_t point, bool raw) {
    return point > 0xFF && !may_stand_raw(point, raw);
}

// Returns whether the next run begins within `bridge` characters.
bool reaches_run(const char *p, const char *end, uint32_t bridge, bool raw) {
    for (uint32_t i = 0; p < end && i <= bridge; ++i)
        if (is_numbered(read_utf8(p), raw)) return true;
    return false;
}

// Style is QuoteStyle, or the default style of docs/wire.md as constants.
template <class Style>
[[gnu::always_inline]] inline void write_quoted_as(std::string_view text, bool raw, Style style,
                                                   Buffer<char> &out) {
    char *to = out.reserve((style.bridge ? 6 : 5) * text.size() + 64);
    const char *p = text.data(), *end = p + text.size();
    bool run = false;  // inside %u…;
    *to++ = '"';
    while (p < end) {
        if (!run) to = write_quoted_ascii(p, end, style.wide_space, to);
        for (; p < end && (run || static_cast<uint8_t>(*p) >= 0x80);) {
            const char *start = p;
            const uint32_t point = read_utf8(p);
            const bool numbered =
                is_numbered(point, raw) ||
                (style.bridge && run && reaches_run(start, end, style.bridge, raw));
            if (run && !numbered) *to++ = ';';
            if (numbered) {
                if (!run) *to++ = '%', *to++ = 'u';
                to = write_point(point, to);
            } else if (point < 0x80) {
                to = write_quoted_byte(start, end, style.wide_space, to);
            } else if (may_stand_raw(point, raw)) {
                std::memcpy(to, start, 4);
                to += p - start;
            } else {
                to = write_percent(point, to);
            }
            run = numbered;
        }
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

// With w1: writes a quantity in words as symbols. If the text itself has the form of such symbols,
// writes it in quotes. Returns false for any other text.
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
        if (!unsafe) {
            from += width;
            to += width;
            continue;
        }
        for (const char *last = from + width; from < last; ++from) {
            const auto c = static_cast<uint8_t>(*from);
            const unsigned char kind = kByteClasses.at[c];
            if (!(kind & (kSafeByte | kDelimiterByte))) return nullptr;
            const uint32_t escaped = (kind & kDelimiterByte) != 0;
            to[0] = '\\';
            to[escaped] = static_cast<char>(c);
            to += 1 + escaped;
        }
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
