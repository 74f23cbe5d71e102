// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The shape that the maps of an array, or of a map, have in common: which keys become columns of a
// table.
#pragma once

#include "base/arena.h"
#include "render/table.h"
#include "value/tree.h"

namespace accp::render {

struct Shape;

// The values under one key, of all rows that have it. The last column of a shape may be the rest:
// what only few rows have, each value with its key.
struct Column {
    StepKind kind;
    std::string_view name;
    uint32_t count;
    bool nulls;       // of a group: some of its values are null
    uint32_t *nodes;  // the values, in the order of the rows
    Shape *shape;     // of a group's maps, or of all elements of kRows
    uint32_t next;    // for the writer: the first value not yet written
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

    // The shape of the children of a container which are better written as a table; nullptr where
    // they are not.
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

// From a shape to a table: the steps of its rows and the gaps between them, chosen from what the
// cells hold; and the header that says so.

class TableLayout {
public:
    TableLayout(value::TreeView tree, Arena &arena) : tree_(tree), arena_(arena) {}

    // `map`: the rows are the entries of `container`, a map. `nested`: they stand inside brackets.
    Table *lay_out(const Shape &shape, bool map, uint32_t container, bool nested);

private:
    // What the texts of one column are like.
    struct TextStats {
        uint32_t count = 0;
        uint32_t spaces = 0;  // strings with a space in them, which could stand bare
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

// Writes `(id name, email)`.
void write_header(const Table &table, TextWriter &to);

}  // namespace accp::render
