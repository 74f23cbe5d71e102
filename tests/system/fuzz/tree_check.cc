// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tree_check.h.
#include "fuzz/tree_check.h"

#include "fuzz/fuzz_input.h"

namespace accp_fuzz {
namespace {

bool is_container(const accp_node &node) {
    return node.kind == ACCP_ARRAY || node.kind == ACCP_MAP;
}

void check_node(const accp_node &node, accp_text under, bool frame, bool in_map) {
    const char *text = under.text;
    REQUIRE(node.kind >= ACCP_NULL && node.kind <= ACCP_NAME);
    REQUIRE(node.offset <= under.len);
    if (is_container(node)) REQUIRE(!frame || text[node.offset] == '[' || text[node.offset] == '{');
    else REQUIRE(under.len - node.offset >= node.len);
    if (node.kind == ACCP_REF && frame) REQUIRE(text[node.offset - 1] == '$');
    if (!in_map) {
        REQUIRE(node.key_len == 0);
        return;
    }
    REQUIRE(node.offset >= node.key_len + 1u + (node.kind == ACCP_REF));
    if (frame) REQUIRE(node.key_len > 0 && text[ACCP_NODE_KEY(&node) + node.key_len] == ':');
}

}  // namespace

void check_tree(const accp_node *nodes, size_t count, accp_text text, bool frame) {
    struct Open {
        size_t end, children;
        uint32_t wanted;
        bool map;
    };
    std::unique_ptr<Open[]> open(new Open[count + 1]);
    size_t depth = 0;
    for (size_t i = 0; i < count; ++i) {
        while (depth && open[depth - 1].end == i) {
            REQUIRE(open[depth - 1].children == open[depth - 1].wanted);
            --depth;
        }
        const accp_node &node = nodes[i];
        check_node(node, text, frame, depth && open[depth - 1].map);
        REQUIRE(node.next > i && node.next <= (depth ? open[depth - 1].end : count));
        REQUIRE(is_container(node) || node.next == i + 1);
        if (depth) ++open[depth - 1].children;
        if (is_container(node)) open[depth++] = {node.next, 0, node.len, node.kind == ACCP_MAP};
    }
    while (depth) {
        --depth;
        REQUIRE(open[depth].end == count && open[depth].children == open[depth].wanted);
    }
}

}  // namespace accp_fuzz
