// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Equal keys in one map, found in linear time whatever the keys are.
//
// While a map is read, a Bloom filter answers "surely new" for almost every key; where it does not, a small map is searched. A map of more than
// kLinearKeys entries is looked through once, when it is complete, with a hashed set whose seed an attacker does not know.
#pragma once

#include "base/arena.h"
#include "base/limits.h"
#include "value/tree.h"

namespace accp {

class KeyFilter {
public:
    // True when an equal key may have been added before. head: some number made of the key.
    [[gnu::always_inline]] bool add(uint64_t head) {
        uint64_t hash = head * 0x9E3779B97F4A7C15;
        uint64_t &word = words_[hash >> 62];
        uint64_t bit = uint64_t{1} << (hash >> 56 & 63);
        bool known = (word & bit) != 0;
        word |= bit;
        return known;
    }

private:
    uint64_t words_[4] = {};
};

// Up to eight bytes of a key, and its length, as one number. `readable` is how many bytes may be read at `key`, at least len.
[[gnu::always_inline]] inline uint64_t key_head(const char *key, size_t len, size_t readable) {
    uint64_t bytes = 0;
    if (readable >= 8) {
        std::memcpy(&bytes, key, 8);
        if (len < 8) bytes &= (uint64_t{1} << 8 * len) - 1;
    } else {
        std::memcpy(&bytes, key, len);
    }
    return bytes + len;
}

// Does `map`, whose children so far end before node `end`, have this key? Linear in its children.
bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len);

// The first child of `map`, which is complete, whose key an earlier child has; 0 when all differ.
uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed);

}  // namespace accp
