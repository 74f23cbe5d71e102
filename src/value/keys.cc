// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/keys.h"

#include "base/random.h"

namespace accp::value {

bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len) {
    std::string_view wanted(key, key_len);
    for (uint32_t i = map + 1; i < end; i = tree[i].next)
        if (tree.key(i) == wanted) return true;
    return false;
}

uint32_t find_equal(const std::string_view *keys, uint32_t count, Arena &arena, uint64_t seed) {
    size_t slots = 16;
    while (slots < size_t{2} * count) slots *= 2;
    auto *table = arena.allocate<uint32_t>(slots);  // index + 1; 0: free
    std::memset(table, 0, slots * sizeof *table);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint64_t at = seeded_hash(keys[i].data(), keys[i].size(), seed);; ++at) {
            uint32_t &slot = table[at & (slots - 1)];
            if (slot && keys[slot - 1] == keys[i]) return i;
            if (slot) continue;
            slot = i + 1;
            break;
        }
    }
    return 0;
}

uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed) {
    uint32_t count = 0;
    auto *keys = arena.allocate<std::string_view>(tree[map].len);
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) keys[count++] = tree.key(i);
    uint32_t place = find_equal(keys, count, arena, seed);
    uint32_t duplicate = map + 1;
    for (uint32_t i = 0; i < place; ++i) duplicate = tree[duplicate].next;
    return place ? duplicate : 0;
}

}  // namespace accp::value
