// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See keys.h.
#include "value/keys.h"

#include "base/random.h"

namespace accp {

bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len) {
    std::string_view wanted(key, key_len);
    for (uint32_t i = map + 1; i < end; i = tree[i].next)
        if (tree.key(i) == wanted) return true;
    return false;
}

uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed) {
    size_t slots = 16;
    while (slots < size_t{2} * tree[map].len) slots *= 2;
    auto *table = arena.take<uint32_t>(slots);
    std::memset(table, 0, slots * sizeof *table);
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        std::string_view key = tree.key(i);
        for (uint64_t at = seeded_hash(key.data(), key.size(), seed);; ++at) {
            uint32_t &slot = table[at & (slots - 1)];
            if (slot && tree.key(slot) == key) return i;
            if (slot) continue;
            slot = i;
            break;
        }
    }
    return 0;
}

}  // namespace accp
