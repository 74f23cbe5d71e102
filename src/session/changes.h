// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What happens to the members of a map, found by key in logarithmic time: both sides of a map may
// be long.
#pragma once

#include <algorithm>

#include "base/arena.h"
#include "value/tree.h"

namespace accp::session {

struct Change {
    std::string_view key;
    uint32_t node;  // of the new value
    enum Kind : uint8_t { kSet, kMerge, kRemove } kind;
    bool done;
};

class Changes {
public:
    Changes(Arena &arena, uint32_t max) : items_(arena.allocate<Change>(max + 1)) {}

    void add(std::string_view key, uint32_t node, Change::Kind kind) {
        items_[count_++] = {key, node, kind, false};
    }
    // Every child of `map`; those that are null are removed where `null_removes`.
    void add_all(value::TreeView tree, uint32_t map, Change::Kind kind, bool null_removes) {
        for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
            add(tree.key(i), i, null_removes && tree[i].kind == ACCP_NULL ? Change::kRemove : kind);
    }
    // To be called before find(): the place, in the order of the keys, of one that is there twice;
    // 0 where all differ.
    uint32_t sort() {
        std::sort(items_, items_ + count_,
                  [](const Change &a, const Change &b) { return a.key < b.key; });
        for (uint32_t i = 1; i < count_; ++i)
            if (items_[i].key == items_[i - 1].key) return i;
        return 0;
    }
    Change *find(std::string_view key) {
        Change *end = items_ + count_;
        Change *at = std::lower_bound(
            items_, end, key,
            [](const Change &item, std::string_view wanted) { return item.key < wanted; });
        return at != end && at->key == key ? at : nullptr;
    }
    const Change &operator[](uint32_t i) const { return items_[i]; }

private:
    Change *items_;
    uint32_t count_ = 0;
};

}  // namespace accp::session
