// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Copies a tree and replaces some of its nodes.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/value.h"

namespace accp::codec {

// Appends the node `root` and everything below it to `to`, which may already have its key. Before
// each node, swap(node, depth, done) is called; depth is the number of open containers. If it sets
// `done`, it has added a replacement under the same key. E1004: a node is nested deeper than
// `max_depth`.
template <class Swap>
Status copy_tree(value::TreeView from, uint32_t root, uint32_t depth, uint32_t max_depth,
                 Arena &arena, value::Value &to, Swap swap) {
    struct Level {
        uint32_t end, made, count;
        bool map;
    };
    const Arena::Mark mark = arena.mark();
    auto *levels = arena.allocate<Level>(max_depth + 1);
    uint32_t open = 0;
    Status status;
    for (uint32_t i = root; status.ok();) {
        while (open && levels[open - 1].end == i) {
            --open;
            to.close(levels[open].made, levels[open].count);
        }
        if (i != root && !open) break;
        if (open && levels[open - 1].map) to.add_key(from.key(i));
        bool done = false;
        status = swap(i, depth + open, done);
        if (status.failed()) break;
        const value::Node &node = from[i];
        if (done) {
            i = node.next;
        } else if (!value::is_container(node.kind)) {
            to.add_scalar(node.kind, node.flags, from.string(i));
            i = node.next;
        } else if (depth + open >= max_depth) {
            status = fail_limit(ACCP_E1004, i,
                                "arrays and objects are nested deeper than the limit allows",
                                depth + open + uint64_t{1}, max_depth);
        } else {
            const uint32_t made = to.open(node.kind);
            levels[open++] = {node.next, made, node.len, node.kind == ACCP_MAP};
            ++i;
        }
        if (!open && i == from[root].next) break;
    }
    arena.rewind(mark);
    return status;
}

}  // namespace accp::codec
