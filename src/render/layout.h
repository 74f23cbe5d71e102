// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From a shape to a table: the steps of its rows and the gaps between them, chosen from what the
// cells hold; and the header that says so.
#pragma once

#include "base/arena.h"
#include "render/shape.h"
#include "render/table.h"

namespace accp::render {

class TableLayout {
public:
    TableLayout(value::TreeView tree, Arena &arena) : tree_(tree), arena_(arena) {}

    // `map`: the rows are the entries of `container`, a map. `nested`: they stand inside brackets.
    Table *lay_out(const Shape &shape, bool map, uint32_t container, bool nested);

private:
    // What the texts of one column are like.
    struct Texts {
        uint32_t count = 0;
        uint32_t spaces = 0;  // strings with a space in them, which could stand bare
        uint32_t commas = 0;
        uint32_t pipes = 0;
        uint32_t letters = 0;  // cells that begin with a letter

        bool spaced() const { return spaces && spaces * 2 >= count; }
        bool lettered() const { return letters * 2 > count; }
    };

    void add_steps(Table &table, const Shape &shape);
    Texts look_at(const Step &step, bool nested) const;
    void add_string(Texts &texts, std::string_view text, bool nested) const;
    Texts look_at_keys(uint32_t container) const;
    static Gap choose_gap(const Texts &left, const Texts &right);

    value::TreeView tree_;
    Arena &arena_;
};

// Writes `(id name, email)`.
void write_header(const Table &table, TextWriter &to);

}  // namespace accp::render
