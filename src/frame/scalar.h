// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings and numbers on the wire (docs/wire.md 3): every JSON scalar has exactly one spelling,
// and it comes back as it went in.
#pragma once

#include <cstdint>
#include <string_view>

#include "accp/types.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/settings.h"
#include "value/number.h"

namespace accp::frame {

// What spellings are in force.
struct Spelling {
    bool q1;               // quoted strings and = numbers
    bool raw;              // u8: raw code points
    bool symbols = false;  // w1: quantities in words as symbols (quantity.h)
};
inline Spelling spelling_of(const Settings &settings) {
    return {settings.has(ACCP_EXT_Q1), settings.has(ACCP_EXT_U8), settings.has(ACCP_EXT_W1)};
}

// Writes a string whose wire form is the string itself: no delimiter, no space, nothing that would
// be read as something else. False where it is not so. Both sides have a Buffer's slack.
[[gnu::always_inline]] inline bool write_plain_string(const char *text, size_t len, char *to);

// The same for one that needs backslashes at most; returns the end, or nullptr. `to` has room for
// twice the text.
char *write_escaped_string(std::string_view text, char *to);

using value::is_plain_decimal;

// Appends the wire form of a string. False where it has none (without q1).
bool write_wire_string(std::string_view text, Spelling spelling, Buffer<char> &out);

// Of the ways to write a string in quotes, which are all read as the same text, one.
struct QuoteStyle {
    uint32_t bridge = 0;  // so many characters between two runs of %u…; go in the run with them
    bool wide_space = false;  // each space is %20
};
void write_quoted_string(std::string_view text, bool raw, QuoteStyle style, Buffer<char> &out);

// Appends the wire form of a number given as JSON has it: kind is ACCP_INT, ACCP_DEC or
// ACCP_NUMBER. False where it has none (without q1).
bool write_wire_number(std::string_view text, uint8_t kind, Spelling spelling, Buffer<char> &out);

// Appends a decimal as an encoder writes it: trailing zeros stripped, one kept, no -0.0. Returns
// the number of places.
int write_decimal(std::string_view text, Buffer<char> &out);

// Takes the escapes out of a wire string; `to` has room for all of it and Buffer's slack. Returns
// the end.
char *unescape(std::string_view wire, char *to);

// Is this wire string, escapes and all, a quoted one?
inline bool is_quoted(std::string_view wire) {
    return wire.size() >= 2 && wire.front() == '"' && wire.back() == '"';
}

// Reads a quoted string, quotes included, into `to` as unescape() does. *fault is the offset of a
// malformed %u, else untouched.
char *read_quoted(std::string_view wire, char *to, size_t *fault);

// true, false, -?[0-9]+(\.[0-9]+)?, ^=-?[0-9], or quotes at both ends: what would be read as
// something else. By its first byte, almost any string does not look so.
bool looks_like_literal(std::string_view text);
inline bool looks_otherwise(std::string_view text) {
    return is_suspect(text[0]) && looks_like_literal(text);
}

// What a peer that reads compat takes for a removal where it stands in a delta (decision A35).
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

// Which text of a frame is a number, and which is a ref (docs/wire.md 2).

// ACCP_INT, ACCP_DEC, or ACCP_STRING for text that only looks like one: 007, -0, .5, 1e5.
inline uint8_t wire_number_kind(const char *text, uint32_t len) {
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

// Labels of [A-Za-z0-9_]+ with a dot between them.
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

// Extension w1 (docs/wire.md 10): a string that is a quantity in words goes as the symbols of
// specification 3.3, and nothing else does.
//
//   words    = sign SP number [SP "percent"] / number SP "percent"
//   symbols  = symbol number ["%"] / number "%"
//   sign     = "plus" / "minus" / "greater than" / "less than"
//   symbol   = "+" / "-" / ">" / "<", in this order
//   number   = (0 / digit 1-9 *DIGIT) ["." 1*DIGIT]
//
// "minus" has its symbol only before a percentage: -12 is a number. Each text of one form stands
// for one text of the other.

struct Quantity {
    char sign = 0;            // a symbol; 0: none
    std::string_view number;  // empty: the text is no quantity
    bool percent = false;
};

// By which the words of a quantity are longer than its symbols, at most.
constexpr size_t kMaxWordsGrowth = 24;

Quantity read_words(std::string_view text);
Quantity read_symbols(std::string_view text);

// Both return the end. Symbols are as long as the words at most; words have room for
// kMaxWordsGrowth more.
char *write_symbols(const Quantity &quantity, char *to);
char *write_words(const Quantity &quantity, char *to);

}  // namespace accp::frame
