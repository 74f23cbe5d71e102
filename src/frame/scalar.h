// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings and numbers on the wire (docs/wire.md 2, 3 and 10). Every JSON scalar has exactly one
// spelling and survives a round trip.
#pragma once

#include <cstdint>
#include <string_view>

#include "accp/types.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/settings.h"
#include "value/number.h"

namespace accp::frame {

// The spellings in use.
struct Spelling {
    bool q1;               // quoted strings and = numbers
    bool raw;              // u8: raw code points
    bool symbols = false;  // w1: quantities in words as symbols
};
inline Spelling spelling_of(const Settings &settings) {
    return {settings.has(ACCP_EXT_Q1), settings.has(ACCP_EXT_U8), settings.has(ACCP_EXT_W1)};
}

// Writes a string whose wire form is the string itself: it has no delimiters or spaces and does not
// look like another kind. Returns false for any other string. Both buffers need a Buffer's slack.
[[gnu::always_inline]] inline bool write_plain_string(const char *text, size_t len, char *to);

// The same for a string that needs at most backslashes. Returns the end, or nullptr. `to` needs
// space for twice the text.
char *write_escaped_string(std::string_view text, char *to);

using value::is_plain_decimal;

// Appends the wire form of a string. Returns false if it has none (without q1).
bool write_wire_string(std::string_view text, Spelling spelling, Buffer<char> &out);

// One way to write a quoted string. All styles are read as the same text.
struct QuoteStyle {
    // up to this many characters between two runs of %u…; are written in the run
    uint32_t bridge = 0;
    bool wide_space = false;  // write each space as %20
};
void write_quoted_string(std::string_view text, bool raw, QuoteStyle style, Buffer<char> &out);

// Appends the wire form of a JSON number of kind ACCP_INT, ACCP_DEC or ACCP_NUMBER. Returns false
// if it has none (without q1).
bool write_wire_number(std::string_view text, uint8_t kind, Spelling spelling, Buffer<char> &out);

// Appends a decimal in canonical form: without trailing zeros except a single place, and without
// -0.0. Returns the number of places.
int write_decimal(std::string_view text, Buffer<char> &out);

// Removes the escapes of a wire string. `to` needs space for the string and a Buffer's slack.
// Returns the end.
char *unescape(std::string_view wire, char *to);

// Returns whether the wire string, with its escapes, is quoted.
inline bool is_quoted(std::string_view wire) {
    return wire.size() >= 2 && wire.front() == '"' && wire.back() == '"';
}

// Reads a quoted string with its quotes into `to`, as unescape() does. Sets *fault to the offset of
// a malformed %u, if there is one.
char *read_quoted(std::string_view wire, char *to, size_t *fault);

// Returns whether the text would be read as another kind: true, false, -?[0-9]+(\.[0-9]+)?,
// ^=-?[0-9], or a text in quotes. The first byte rules this out for almost any string.
bool looks_like_literal(std::string_view text);
inline bool looks_otherwise(std::string_view text) {
    return may_begin_literal(text[0]) && looks_like_literal(text);
}

// In a delta, a peer with the dialect compat reads this string as a removal (decision A35).
inline constexpr std::string_view kRemoval = "null";

inline bool write_plain_string(const char *text, size_t len, char *to) {
    size_t at = 0;
    for (; len - at > 16; at += 16) {
        Bytes16 bytes = Bytes16::load(text + at);
        bytes.store(to + at);
        if (bytes.unsafe()) return false;
    }
    Bytes16 bytes = Bytes16::load(text + at);
    bytes.store(to + at);
    if (bytes.unsafe() & ((uint32_t{1} << (len - at)) - 1)) return false;
    return len && !looks_otherwise({text, len});
}

// Returns the kind of a number on the wire (docs/wire.md 2): ACCP_INT, ACCP_DEC, or ACCP_STRING for
// text that only looks like a number: 007, -0, .5, 1e5.
[[gnu::always_inline]] inline uint8_t wire_number_kind(const char *text, uint32_t len) {
    const char *p = text, *end = text + len;
    if (p < end && *p == '-') ++p;
    const char *integer = p;
    while (p < end && is_digit(static_cast<unsigned char>(*p))) ++p;
    if (p == integer || (*integer == '0' && p - integer > 1)) return ACCP_STRING;
    if (p == end) return *text == '-' && *integer == '0' ? ACCP_STRING : ACCP_INT;
    if (*p++ != '.' || p == end) return ACCP_STRING;
    while (p < end && is_digit(static_cast<unsigned char>(*p))) ++p;
    return p == end ? ACCP_DEC : ACCP_STRING;
}

// Returns whether the text is a ref: labels of [A-Za-z0-9_]+ separated by dots.
inline bool is_ref(const char *text, uint32_t len) {
    bool label = false;
    for (uint32_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (c != '.' && !is_word(c)) return false;
        if (c == '.' && !label) return false;
        label = c != '.';
    }
    return label;
}

// Extension w1 (docs/wire.md 10): a string that is a quantity in words is written as the symbols of
// specification 3.3. No other string is changed.
//
//   words    = sign SP number [SP "percent"] / number SP "percent"
//   symbols  = symbol number ["%"] / number "%"
//   sign     = "plus" / "minus" / "greater than" / "less than"
//   symbol   = "+" / "-" / ">" / "<", in this order
//   number   = (0 / digit 1-9 *DIGIT) ["." 1*DIGIT]
//
// "minus" becomes a symbol only before a percentage, because -12 is a number. The two forms
// correspond one to one.
struct Quantity {
    char sign = 0;            // a symbol, or 0
    std::string_view number;  // empty: not a quantity
    bool percent = false;
};

// The words of a quantity are longer than its symbols by at most this many bytes.
constexpr size_t kMaxWordsGrowth = 24;

Quantity read_words(std::string_view text);
Quantity read_symbols(std::string_view text);

// Both return the end. Symbols are not longer than the words; words need kMaxWordsGrowth more
// bytes.
char *write_symbols(const Quantity &quantity, char *to);
char *write_words(const Quantity &quantity, char *to);

}  // namespace accp::frame
