// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/table.h"

#include "base/limits.h"
#include "frame/scalar.h"
#include "value/keys.h"

namespace accp::frame {

namespace {

// Returns whether no value in the cells nests more than rule.room brackets.
bool cells_fit(value::TreeView tree, uint32_t array, const TableRule &rule) {
    uint32_t ends[kMaxDepth + 3];
    uint32_t depth = 0;
    for (uint32_t i = array; i < tree[array].next; ++i) {
        while (depth && ends[depth - 1] == i) --depth;
        if (!value::is_container(tree[i].kind)) continue;
        // its only child is a scalar
        if (rule.keep_refs && is_reference(tree, i, rule.key_bytes)) continue;
        if (depth == rule.room + 2) return false;
        ends[depth++] = tree[i].next;
    }
    return true;
}

bool may_be_table(value::TreeView tree, uint32_t array, const TableRule &rule) {
    const value::Node &node = tree[array];
    if (node.kind != ACCP_ARRAY || node.len < 2 || tree[array + 1].kind != ACCP_MAP) return false;
    uint32_t columns = tree[array + 1].len;
    if (uint64_t{node.len - 1} * columns < 4) return false;
    for (uint32_t row = array + 1; row < node.next; row = tree[row].next) {
        if (tree[row].kind != ACCP_MAP || tree[row].len != columns) return false;
        if (rule.keep_refs && is_reference(tree, row, rule.key_bytes)) return false;
    }
    for (uint32_t i = array + 2; i < tree[array + 1].next; i = tree[i].next)
        // the limit applies to columns too
        if (tree[i].key_len > rule.key_bytes) return false;
    return true;
}

}  // namespace

bool is_reference(value::TreeView tree, uint32_t node, uint64_t key_bytes) {
    if (tree[node].kind != ACCP_MAP || tree[node].len != 1 || tree[node + 1].kind != ACCP_STRING)
        return false;
    return tree.key(node + 1) == "$ref" && tree[node + 1].len <= key_bytes &&
           is_ref(tree.string(node + 1).data(), tree[node + 1].len);
}

bool find_table(value::TreeView tree, uint32_t array, const TableRule &rule, Arena &arena,
                Table &out) {
    if (!may_be_table(tree, array, rule) || !cells_fit(tree, array, rule)) return false;
    uint32_t rows = tree[array].len, columns = tree[array + 1].len;
    auto *cells = arena.allocate<uint32_t>(size_t{rows} * columns);
    auto by_key = [tree](uint32_t a, uint32_t b) { return tree.key(a) < tree.key(b); };
    uint32_t *row_cells = cells;
    for (uint32_t row = array + 1; row < tree[array].next;
         row = tree[row].next, row_cells += columns) {
        value::Children children = {row_cells, 0};
        for (uint32_t i = row + 1; i < tree[row].next; i = tree[i].next)
            row_cells[children.count++] = i;
        value::sort_children(children, by_key);
        for (uint32_t i = 0; i < columns; ++i)
            if (tree.key(row_cells[i]) != tree.key(cells[i])) return false;
    }
    out = {rows, columns, cells};
    return true;
}

}  // namespace accp::frame
