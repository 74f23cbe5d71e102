// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The canonical form of a block of a request: equal for blocks that are the same for the model.
// Cache marks are left out, because clients move them from call to call. A content that is a string
// equals the same text as one text block, because clients change between the two when they move a
// mark. White space and escapes of the JSON do not count; everything else does.
//
// The form is binary, and no form is the beginning of another:
//
//   value  = kind key-length key text-length text   ; for each node, in order
//   block  = "{" *(member) "}"                       ; a member is a value, "content" a content
//   text   = "t" length text                         ; a block of a text and nothing else
//   content= "[" *(text / block / value) "]" / value
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/tree.h"

namespace proxy {

class CanonicalText {
public:
    explicit CanonicalText(std::string &out) : out_(out) {}

    void set_tree(accp::value::TreeView tree) { tree_ = tree; }

    void add_value(uint32_t node);
    // Adds a map whose own cache mark, and those of the blocks in its content, do not count. Other
    // nodes are added as values.
    void add_block(uint32_t block) { add_block(block, 0); }
    // Adds a list of blocks, or a string as one text block.
    void add_content(uint32_t content) { add_content(content, 0); }
    void add_text_block(std::string_view text) { add_sized('t', text); }

    // The cache mark of the last add_block() or add_content(), on any block; 0: none.
    uint32_t mark() const { return mark_; }
    void forget_mark() { mark_ = 0; }

private:
    void add_block(uint32_t block, int depth);
    void add_content(uint32_t content, int depth);
    bool add_plain_text_block(uint32_t block);
    void add_sized(char tag, std::string_view text);
    void add_number(uint64_t n);

    std::string &out_;
    accp::value::TreeView tree_ = {};
    uint32_t mark_ = 0;
};

}  // namespace proxy
