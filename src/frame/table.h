// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// t1: which arrays are tables (docs/wire.md 4).
#pragma once

#include "base/arena.h"
#include "value/tree.h"

namespace accp::frame {

constexpr std::string_view kColumnsKey = "__cols", kRowsKey = "__rows";
constexpr uint32_t kTableNesting = 3;  // the map, the array of rows, a row

struct Table {
    uint32_t rows;
    uint32_t columns;
    // nodes, row after row, columns sorted by source key; the first row's keys are the columns'
    // names
    const uint32_t *cells;
};

// {"$ref":"warm.key"}: where refs are kept, this object is a ref, which is a scalar.
bool is_reference(value::TreeView tree, uint32_t node, uint64_t key_bytes);

// What is asked about an array that may be a table.
struct TableRule {
    uint32_t room;       // levels of brackets that its cells have left
    uint64_t key_bytes;  // the most bytes of a key, and of a column's name
    bool keep_refs;
};

// True when `array` is to be written as a table: two or more objects with one key set, where (rows
// - 1) * keys >= 4. The cells are measured as they would stand if none of them became a table
// itself.
bool find_table(value::TreeView tree, uint32_t array, const TableRule &rule, Arena &arena,
                Table &out);

}  // namespace accp::frame
