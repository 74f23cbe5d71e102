// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Equal keys in one map, found in linear time whatever the keys are.
//
// While a map is read, a Bloom filter answers "surely new" for almost every key; where it does not,
// a small map is searched. A map of more than kLinearKeys entries is looked through once, when it
// is complete, with a hashed set whose seed an attacker does not know.
#pragma once

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

}  // namespace accp::value
