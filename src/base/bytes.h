// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Byte classes, named as in the specification's grammar, and operations on 16 bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace accp {

constexpr bool is_digit(unsigned char c) { return static_cast<unsigned>(c - '0') < 10; }
constexpr bool is_alpha(unsigned char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; }
// In operations, keys and ref labels.
constexpr bool is_word(unsigned char c) { return is_digit(c) || is_alpha(c) || c == '_'; }
constexpr bool is_agent(unsigned char c) { return is_word(c) || c == '-'; }
constexpr bool is_upper_hex(unsigned char c) {
    return is_digit(c) || static_cast<unsigned>(c - 'A') < 6;
}
// Returns the value of a hexadecimal digit in upper or lower case, or -1 for any other byte.
constexpr int hex_digit(unsigned char c) {
    if (is_digit(c)) return c - '0';
    return static_cast<unsigned>((c | 0x20) - 'a') < 6 ? (c | 0x20) - 'a' + 10 : -1;
}
// Returns the byte that two digits of is_upper_hex() are, or -1 for any others.
constexpr int upper_hex_pair(unsigned char high, unsigned char low) {
    return is_upper_hex(high) && is_upper_hex(low) ? hex_digit(high) << 4 | hex_digit(low) : -1;
}
// Returns the six bits of a character of Base64 (RFC 4648, section 4), or -1 for any other byte.
constexpr int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}
// Changes ASCII letters only.
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

constexpr bool is_delimiter(unsigned char c) {
    switch (c) {
        case '@':
        case '>':
        case ':':
        case '{':
        case '}':
        case '[':
        case ']':
        case '|':
        case '$':
        case ',':
        case '~':
        case '\\': return true;
        default: return false;
    }
}

// The same classes as bits of a table, for loops that test every byte.
enum ByteClass : unsigned char {
    kAlphaByte = 1,
    kWordByte = 2,
    kAgentByte = 4,
    kSafeByte = 8,
    kDelimiterByte = 16
};

struct ByteClasses {
    unsigned char at[256] = {};
    constexpr ByteClasses() {
        for (int i = 0; i < 256; ++i) {
            auto c = static_cast<unsigned char>(i);
            bool visible = c > 0x20 && c < 0x7F;
            at[i] = static_cast<unsigned char>(
                is_alpha(c) * kAlphaByte | is_word(c) * kWordByte | is_agent(c) * kAgentByte |
                (visible && !is_delimiter(c)) * kSafeByte | is_delimiter(c) * kDelimiterByte);
        }
    }
};
inline constexpr ByteClasses kByteClasses;

inline unsigned char byte_class(char c) { return kByteClasses.at[static_cast<unsigned char>(c)]; }

// Bytes that can begin a literal or a quoted string. Any other first byte means a plain string.
struct LiteralStarts {
    bool at[256] = {};
    constexpr LiteralStarts() {
        for (unsigned char c :
             {'"', '-', '=', 't', 'f', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'})
            at[c] = true;
    }
};
inline constexpr LiteralStarts kLiteralStarts;

// Returns whether `size` bytes can be read at `from`, even if the text ends before. They can if
// they are on the same page as a byte of the text. Always false in sanitizer builds, which would
// report such a read.
inline bool can_read_past([[maybe_unused]] const char *from, [[maybe_unused]] size_t size) {
#if defined(ACCP_EXACT_READS)
    return false;
#else
    constexpr uintptr_t kMinPage = 4096;
    return reinterpret_cast<uintptr_t>(from) % kMinPage <= kMinPage - size;
#endif
}

inline bool may_begin_literal(char c) { return kLiteralStarts.at[static_cast<unsigned char>(c)]; }

// Sixteen bytes: one SSE2 register on x86-64, an array of bytes elsewhere.

#if defined(__SSE2__)

// Each test returns one bit for each byte; the lowest bit is for the first byte.
struct Bytes16 {
    __m128i v;

    static Bytes16 load(const char *from) {
        return {_mm_loadu_si128(reinterpret_cast<const __m128i *>(from))};
    }
    static Bytes16 of(uint64_t low, uint64_t high) {
        return {_mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low))};
    }
    void store(char *to) const { _mm_storeu_si128(reinterpret_cast<__m128i *>(to), v); }
    uint32_t equal(char c) const {
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c))));
    }
    uint32_t high() const { return static_cast<uint32_t>(_mm_movemask_epi8(v)); }
    // Unsigned: byte < c.
    uint32_t below(unsigned char c) const {
        return static_cast<uint32_t>(_mm_movemask_epi8(at_max(v, c - 1)));
    }
    uint32_t digits() const {
        return static_cast<uint32_t>(
            _mm_movemask_epi8(at_max(_mm_sub_epi8(v, _mm_set1_epi8('0')), 9)));
    }
    // [A-Za-z]
    uint32_t letters() const {
        __m128i letter =
            at_max(_mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a')), 25);
        return static_cast<uint32_t>(_mm_movemask_epi8(letter));
    }
    // [A-Za-z0-9_]
    uint32_t words() const {
        __m128i digit = at_max(_mm_sub_epi8(v, _mm_set1_epi8('0')), 9);
        __m128i letter =
            at_max(_mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a')), 25);
        __m128i underscore = _mm_cmpeq_epi8(v, _mm_set1_epi8('_'));
        return static_cast<uint32_t>(
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(digit, letter), underscore)));
    }
    // Bytes that need an escape in a frame: all outside 0x21-0x7E, and the delimiters @ > : { } [ ]
    // | $ , ~ \.
    uint32_t unsafe() const {
        auto is = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
        // also 0x80 to 0xFF, which are negative here
        __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x21));
        __m128i high = _mm_cmpgt_epi8(v, _mm_set1_epi8(0x7D));  // ~ and DEL
        __m128i brackets =
            at_max(_mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8(0x7B)), 2);
        __m128i dollar_comma = is(_mm_and_si128(v, _mm_set1_epi8(static_cast<char>(0xF7))), 0x24);
        __m128i colon_greater = is(_mm_and_si128(v, _mm_set1_epi8(static_cast<char>(0xFB))), 0x3A);
        __m128i all =
            _mm_or_si128(_mm_or_si128(_mm_or_si128(low, high), _mm_or_si128(brackets, is(v, '@'))),
                         _mm_or_si128(dollar_comma, colon_greater));
        return static_cast<uint32_t>(_mm_movemask_epi8(all));
    }
    static __m128i at_max(__m128i bytes, int max) {
        return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(static_cast<char>(max))), bytes);
    }
};

#else

struct Bytes16 {
    unsigned char v[16];

    static Bytes16 load(const char *from) {
        Bytes16 bytes;
        std::memcpy(bytes.v, from, 16);
        return bytes;
    }
    static Bytes16 of(uint64_t low, uint64_t high) {
        Bytes16 bytes;
        std::memcpy(bytes.v, &low, 8);
        std::memcpy(bytes.v + 8, &high, 8);
        return bytes;
    }
    void store(char *to) const { std::memcpy(to, v, 16); }
    template <class Test>
    uint32_t bits(Test test) const {
        uint32_t mask = 0;
        for (int i = 0; i < 16; ++i) mask |= static_cast<uint32_t>(test(v[i])) << i;
        return mask;
    }
    uint32_t equal(char c) const {
        return bits([c](unsigned char b) { return b == static_cast<unsigned char>(c); });
    }
    uint32_t high() const {
        return bits([](unsigned char b) { return b >= 0x80; });
    }
    uint32_t below(unsigned char c) const {
        return bits([c](unsigned char b) { return b < c; });
    }
    uint32_t unsafe() const {
        return bits([](unsigned char b) {
            return b < 0x21 || b > 0x7D || std::memchr("@>:{}[]|$,\\", b, 11) != nullptr;
        });
    }
    uint32_t digits() const {
        return bits([](unsigned char b) { return static_cast<unsigned>(b - '0') < 10; });
    }
    uint32_t letters() const {
        return bits([](unsigned char b) { return static_cast<unsigned>((b | 0x20) - 'a') < 26; });
    }
    uint32_t words() const {
        return bits([](unsigned char b) {
            return static_cast<unsigned>(b - '0') < 10 ||
                   static_cast<unsigned>((b | 0x20) - 'a') < 26 || b == '_';
        });
    }
};

#endif

// Copies in steps of 16 bytes: reads and writes up to 15 bytes more than `len`.
[[gnu::always_inline]] inline void copy_padded(char *to, const char *from, size_t len) {
    size_t at = 0;
    do {
        Bytes16::load(from + at).store(to + at);
        at += 16;
    } while (at < len);
}

}  // namespace accp
