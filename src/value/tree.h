// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A flat tree of nodes (accp_node) over a text.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "accp/types.h"

namespace accp::value {

using Node = accp_node;

struct TreeView {
    const Node *nodes;
    const char *text;

    const Node &operator[](uint32_t i) const { return nodes[i]; }
    std::string_view string(uint32_t i) const { return {text + nodes[i].offset, nodes[i].len}; }
    std::string_view key(uint32_t i) const {
        return {text + ACCP_NODE_KEY(&nodes[i]), nodes[i].key_len};
    }

    // Returns the child of `parent` with this key, or 0.
    uint32_t find(uint32_t parent, std::string_view wanted) const {
        for (uint32_t i = parent + 1; i < nodes[parent].next; i = nodes[i].next)
            if (key(i) == wanted) return i;
        return 0;
    }
};

inline bool is_container(uint8_t kind) { return kind == ACCP_ARRAY || kind == ACCP_MAP; }
inline bool is_number(uint8_t kind) {
    return kind == ACCP_INT || kind == ACCP_DEC || kind == ACCP_NUMBER;
}

}  // namespace accp::value
