// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tables: which keys of the maps in an array or a map become columns, and how the rows are laid
// out.
#pragma once

#include "base/arena.h"
#include "render/table.h"
#include "value/tree.h"

namespace accp::render {

struct Shape;

// The values of one key in all rows that have it. The last column may hold the rest: keys that only
// few rows have, each with its value.
struct Column {
    StepKind kind;
    std::string_view name;
    uint32_t count;
    bool nulls;       // for a group: some values are null
    uint32_t *nodes;  // values in the order of the rows
    Shape *shape;     // of the maps in a group, or of the elements in all arrays of kRows
    uint32_t next;    // for the writer: the next value to write
};

struct Shape {
    Column *columns;
    uint32_t count;
    uint32_t rows;
};

class ShapeFinder {
public:
    ShapeFinder(value::TreeView tree, Arena &arena, uint64_t seed)
        : tree_(tree), arena_(arena), seed_(seed) {}

    // Returns the shape of a container's children if a table is shorter, else nullptr.
    Shape *find(uint32_t container);

private:
    struct Keys;

    Shape *find(const uint32_t *maps, uint32_t count, uint32_t depth);
    void sort_columns(Keys &keys, uint32_t rows);
    void fill(Shape &shape, Keys &keys, const uint32_t *maps);
    void classify_column(Shape &shape, uint32_t place, uint32_t depth);
    bool begins_with_null(const Shape &shape) const;
    const uint32_t *without_nulls(const Column &column, uint8_t kind, uint32_t &count);

    value::TreeView tree_;
    Arena &arena_;
    uint64_t seed_;
};

// Converts a shape to a table: the steps of its rows and the gaps between them, which depend on the
// cells.
class TableLayout {
public:
    TableLayout(value::TreeView tree, Arena &arena) : tree_(tree), arena_(arena) {}

    // `map`: the rows are the entries of the map `container`. `nested`: they are inside brackets.
    Table *lay_out(const Shape &shape, bool map, uint32_t container, bool nested);

private:
    // Statistics of the texts in one column.
    struct TextStats {
        uint32_t count = 0;
        uint32_t spaces = 0;  // strings with a space that could be bare
        uint32_t commas = 0;
        uint32_t pipes = 0;
        uint32_t letters = 0;  // cells that begin with a letter

        bool mostly_spaced() const { return spaces && spaces * 2 >= count; }
        bool mostly_letters() const { return letters * 2 > count; }
    };

    void add_steps(Table &table, const Shape &shape);
    TextStats count_texts(const Step &step, bool nested) const;
    void add_string(TextStats &texts, std::string_view text, bool nested) const;
    TextStats count_keys(uint32_t container) const;
    static Gap choose_gap(const TextStats &left, const TextStats &right);

    value::TreeView tree_;
    Arena &arena_;
};

// Writes the header of a table, such as `(id name, email)`.
void write_header(const Table &table, TextWriter &to);

}  // namespace accp::render
