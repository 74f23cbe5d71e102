// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The children of a node in a chosen order: what sorted output walks.
#pragma once

#include <algorithm>

#include "base/arena.h"
#include "value/tree.h"

namespace accp::value {

struct Children {
    uint32_t *nodes;
    uint32_t count;
};

inline Children list_children(TreeView tree, uint32_t parent, Arena &arena) {
    Children list = {arena.allocate<uint32_t>(tree[parent].len + 1), 0};
    for (uint32_t i = parent + 1; i < tree[parent].next; i = tree[i].next)
        list.nodes[list.count++] = i;
    return list;
}

// Sorted by what `key` makes of a node, under `less`. Few children are the rule: insertion, then
// nothing more to set up.
template <class Less>
void sort_children(Children list, Less less) {
    if (list.count > 16) {
        std::sort(list.nodes, list.nodes + list.count, less);
        return;
    }
    for (uint32_t i = 1; i < list.count; ++i) {
        uint32_t node = list.nodes[i];
        uint32_t at = i;
        for (; at > 0 && less(node, list.nodes[at - 1]); --at) list.nodes[at] = list.nodes[at - 1];
        list.nodes[at] = node;
    }
}

}  // namespace accp::value
