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

// Writes a JSON object, member by member. Keys must have a Buffer's slack after them.
class ObjectWriter {
public:
    explicit ObjectWriter(Buffer<char> &out) : out_(out) { out_.push('{'); }

    // Writes a key. The caller appends the value.
    void key(std::string_view key) {
        if (!empty_) out_.push(',');
        empty_ = false;
        write_json_string(key, out_);
        out_.push(':');
    }
    void add(std::string_view name, TreeView tree, uint32_t node) {
        key(name);
        write_json(tree, node, out_);
    }
    // Under its own key.
    void add(TreeView tree, uint32_t node) { add(tree.key(node), tree, node); }
    bool empty() const { return empty_; }
    void end() { out_.push('}'); }

private:
    Buffer<char> &out_;
    bool empty_ = true;
};

// Appends the hash form, which accp_value_print_hash_form() describes. Returns E1004 for an
// exponent with more than kMaxExponentDigits digits.
Status write_hash_form(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

}  // namespace accp::value
