// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Detection of equal keys in one map, in linear time for any keys, and sorting of children.
//
// While a map is read, a Bloom filter finds most new keys without a search. If the filter is not
// sure, a small map is searched. A map of more than kLinearKeys entries is checked once when it is
// complete, with a hash set whose seed an attacker does not know.
#pragma once

#include <algorithm>

#include "base/arena.h"
#include "base/limits.h"
#include "value/tree.h"

namespace accp::value {

// Trivial, so that an array of filters costs nothing until one is used. KeyFilter{} is empty.
class KeyFilter {
public:
    // Returns true if an equal key may have been added before. Uses only the first byte, the last
    // byte and the length: other keys that agree in these cost a search.
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

// The same from the first 16 bytes and the last eight, for a map that is searched only when it is
// complete. The key needs a Buffer's slack.
class KeySketch {
public:
    [[gnu::always_inline]] bool add(const char *key, size_t len) {
        static constexpr struct Kept {
            unsigned char at[32] = {};
            constexpr Kept() {
                for (int i = 0; i < 16; ++i) at[i] = 0xFF;
            }
        } kKept;
        uint64_t low = word_at(key), high = word_at(key + 8);
        if (__builtin_expect(len < 16, 1)) {
            low &= word_at(kKept.at + 16 - len);
            high &= word_at(kKept.at + 24 - len);
        } else {
            high = high * 3 + word_at(key + len - 8);
        }
        const uint64_t hash = (low ^ high * 5) * 0x9E3779B97F4A7C15 >> 56;
        uint64_t &word = words_[hash >> 6];
        const uint64_t bit = uint64_t{1} << (hash & 63);
        const bool known = (word & bit) != 0;
        word |= bit;
        return known;
    }

private:
    [[gnu::always_inline]] static uint64_t word_at(const void *at) {
        uint64_t word;
        std::memcpy(&word, at, sizeof word);
        return word;
    }

    uint64_t words_[4];
};

// Returns whether `map` has this key among its children before node `end`. Linear time.
bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len);

// Returns the index of the first key that equals an earlier key, or 0 if all differ.
uint32_t find_equal(const std::string_view *keys, uint32_t count, Arena &arena, uint64_t seed);

// Returns the first child of the complete `map` whose key equals that of an earlier child, or 0 if
// all keys differ.
uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed);

// The children of a node, for output in sorted order.
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

// Sorts the children by `less`. Most lists are short, so they use an insertion sort.
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
