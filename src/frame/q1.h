// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings and numbers on the wire (WIRE.md section 3): every JSON scalar has exactly one spelling, and it comes back as it went in.
#pragma once

#include <string_view>

#include "accp/types.h"
#include "base/memory.h"

namespace accp {

// What spellings are in force.
struct Spelling {
    bool q1;   // quoted strings and = numbers
    bool raw;  // u8: raw code points
};

// Appends the wire form of a string. False where it has none (without q1).
bool write_wire_string(std::string_view text, Spelling spelling, Buffer<char> &out);

// Appends the wire form of a number given as JSON has it: kind is ACCP_INT, ACCP_DEC or ACCP_NUMBER. False where it has none (without q1).
bool write_wire_number(std::string_view text, uint8_t kind, Spelling spelling, Buffer<char> &out);

// Appends a decimal as an encoder writes it: trailing zeros stripped, one kept, no -0.0. Returns the number of places.
int write_decimal(std::string_view text, Buffer<char> &out);

// Takes the escapes out of a wire string; `to` has room for all of it and Buffer's slack. Returns the end.
char *unescape(std::string_view wire, char *to);

// Is this wire string, escapes and all, a quoted one?
inline bool is_quoted(std::string_view wire) { return wire.size() >= 2 && wire.front() == '"' && wire.back() == '"'; }

// Reads a quoted string, quotes included, into `to` as unescape() does. *fault is the offset of a malformed %u, else untouched.
char *read_quoted(std::string_view wire, char *to, size_t *fault);

}  // namespace accp
