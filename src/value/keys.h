// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Equal keys in one map, found in linear time whatever the keys are.
//
// While a map is read, a Bloom filter answers "surely new" for almost every key; where it does not,
// a small map is searched. A map of more than kLinearKeys entries is looked through once, when it
// is complete, with a hashed set whose seed an attacker does not know.
#pragma once

#include <algorithm>

#include "base/arena.h"
#include "base/limits.h"
#include "value/tree.h"

namespace accp::value {

// Trivial, so that an array of them costs nothing until one is begun: KeyFilter{} is the empty one.
class KeyFilter {
public:
    // True when an equal key may have been added before. Looks at both ends and the length: keys
    // that agree there cost a search, no more.
    [[gnu::always_inline]] bool add(const char *key, size_t len) {
        size_t hash = len;
        if (__builtin_expect(len != 0, 1))
            hash +=
                static_cast<unsigned char>(key[0]) + static_cast<unsigned char>(key[len - 1]) * 8u;
        uint64_t &word = words_[hash >> 6 & 3];
        uint64_t bit = uint64_t{1} << (hash & 63);
        bool known = (word & bit) != 0;
        word |= bit;
        return known;
    }

private:
    uint64_t words_[4];
};

// Does `map`, whose children so far end before node `end`, have this key? Linear in its children.
bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len);

// The index of the first of these keys that equals an earlier one; 0: all differ.
uint32_t find_equal(const std::string_view *keys, uint32_t count, Arena &arena, uint64_t seed);

// The node of the first child of `map`, which is complete, whose key an earlier child has; 0 when
// all differ.
uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed);

// The children of a node in a chosen order: what sorted output walks.

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
