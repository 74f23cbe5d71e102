// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A value to compact JSON, as it is; and to its hash form.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::value {

// Appends `text`, which may lie anywhere but in `out`, as a JSON string: the shortest escapes,
// everything above U+001F raw.
void write_json_string(std::string_view text, Buffer<char> &out);

// Writes the escape of a byte that a JSON string cannot hold raw: at most kMaxJsonEscape bytes.
// Returns the end.
constexpr size_t kMaxJsonEscape = 6;  // \u001f
char *write_json_escape(unsigned char c, char *to);

// Appends node `root` and all below it: keys in their order, numbers as written, refs as
// {"$ref":"…"}.
void write_json(TreeView tree, uint32_t root, Buffer<char> &out);

// Appends the hash form (accp_value_print_hash_form() says what it is). ACCP_E1004 for an exponent
// beyond kMaxExponentDigits.
Status write_hash_form(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

}  // namespace accp::value
