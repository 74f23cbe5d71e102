// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings and numbers on the wire (docs/wire.md 3): every JSON scalar has exactly one spelling,
// and it comes back as it went in.
#pragma once

#include <string_view>

#include "accp/types.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/vector.h"
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

}  // namespace accp::frame
