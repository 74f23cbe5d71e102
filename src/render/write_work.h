// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One call of RenderWriter: objects and lists are in write.cc, tables in write_table.cc.
#pragma once

#include "render/write.h"

namespace accp::render {

// One call. Every function either writes something, or opens or closes a level.
struct RenderWriter::Work {
    Work(RenderWriter &writer, value::TreeView tree, const RenderStyle &style, Buffer<char> &out)
        : tree(tree),
          style(style),
          arena(writer.arena_),
          to(out),
          finder(tree, writer.arena_, writer.seed_),
          layout(tree, writer.arena_),
          levels(writer.levels_) {
        to.untrusted = style.untrusted;
        levels.recycle(kKeptBytes);
    }

    void run() {
        while (!levels.empty()) {
            Level &level = levels[levels.size() - 1];
            if (level.kind == Kind::kFields) next_field(level);
            else if (level.kind == Kind::kItems) next_item(level);
            else if (level.step < level.table->count) next_cell(level);
            else next_row(level);
        }
    }

    void root(uint32_t node);
    void body(uint32_t map);
    void open_list(const uint32_t *nodes, uint32_t begin, uint32_t end, bool top = false);

private:
    void value(uint32_t node, unsigned stops, bool top);
    uint32_t find_late(uint32_t map) const;
    void container(uint32_t node, bool top);
    Level &open_table(uint32_t node, const Table *table, bool top);
    bool open_as_table(uint32_t node, bool top);
    void open_items(uint32_t node);
    void open_fields(uint32_t node, bool top, uint32_t late);
    bool all_simple(uint32_t array) const;
    void next_field(Level &level);
    void write_key(uint32_t node, bool top);
    void next_item(Level &level);
    void next_row(Level &level);
    void next_cell(Level &level);
    void write_pending(Level &level);
    void open_rest(Column &column, uint32_t row_end);
    void late_or_close(Level &level);
    void pop() { levels.resize_down(levels.size() - 1); }

    value::TreeView tree;
    const RenderStyle &style;
    Arena &arena;
    TextWriter to;
    ShapeFinder finder;
    TableLayout layout;
    Buffer<Level> &levels;
};

}  // namespace accp::render
