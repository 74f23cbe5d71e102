// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The nodes of a frame or a value together with their text, as the library hands them out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace host {

// A view: it ends with the next call that changes what it came from.
struct Tree {
    const accp_node *nodes = nullptr;
    size_t count = 0;
    const char *text = nullptr;
    size_t text_len = 0;

    std::string_view key(uint32_t i) const {
        return {text + ACCP_NODE_KEY(&nodes[i]), nodes[i].key_len};
    }

    // The text of a scalar or a name, as it stands there.
    std::string_view raw(uint32_t i) const { return {text + nodes[i].offset, nodes[i].len}; }
};

Tree tree_of(const accp_frame *frame);
Tree tree_of(const accp_value *value);

// "int", "str", "array" …: the names that `accp parse` uses.
const char *kind_name(const accp_node &node);

// What a node holds, for people to read: a scalar's text without escapes, "3 elements", "1 entry".
// Safe for a terminal.
std::string shown(const accp_frame *frame, uint32_t i);
std::string shown(const Tree &value, uint32_t i);

// Appends `text` with every byte that is no UTF-8 as \xNN, and with every control character, and
// every character that is not seen or turns the direction of writing, as \u and its number.
void append_printable(std::string_view text, std::string &out);

}  // namespace host
