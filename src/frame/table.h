// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Extension t1: arrays that are written as tables (docs/wire.md 4).
#pragma once

#include "base/arena.h"
#include "value/tree.h"

namespace accp::frame {

constexpr std::string_view kColumnsKey = "__cols", kRowsKey = "__rows";
constexpr uint32_t kTableNesting = 3;  // the map, the array of rows, a row

struct Table {
    uint32_t rows;
    uint32_t columns;
    // Nodes, row by row, with the columns sorted by key. The keys of the first row are the names of
    // the columns.
    const uint32_t *cells;
};

// Returns whether the node is {"$ref":"warm.key"}. With keep_refs this object is a ref, which is a
// scalar.
bool is_reference(value::TreeView tree, uint32_t node, uint64_t key_bytes);

// The conditions for a table.
struct TableRule {
    uint32_t room;       // brackets that its cells may still nest
    uint64_t key_bytes;  // maximum length of a key and of a column's name
    bool keep_refs;
};

// Returns whether `array` is written as a table: two or more objects with the same keys, where
// (rows - 1) * keys >= 4. The nesting of the cells is measured as if no cell were a table.
bool find_table(value::TreeView tree, uint32_t array, const TableRule &rule, Arena &arena,
                Table &out);

}  // namespace accp::frame
