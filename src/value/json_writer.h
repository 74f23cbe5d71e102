// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a value as compact JSON, and in its hash form.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::value {

// Appends `text` as a JSON string with the shortest escapes; all characters above U+001F stay raw.
// `text` must not be in `out`.
void write_json_string(std::string_view text, Buffer<char> &out);

// Writes the escape of a byte that a JSON string cannot contain raw, at most kMaxJsonEscape bytes.
// Returns the end.
constexpr size_t kMaxJsonEscape = 6;  // \u001f
char *write_json_escape(unsigned char c, char *to);

// Appends node `root` and its descendants: keys in their order, numbers as written, refs as
// {"$ref":"…"}.
void write_json(TreeView tree, uint32_t root, Buffer<char> &out);

// Appends the hash form, which accp_value_print_hash_form() describes. Returns E1004 for an
// exponent with more than kMaxExponentDigits digits.
Status write_hash_form(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

}  // namespace accp::value
