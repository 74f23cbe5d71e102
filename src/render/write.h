// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a value as render text (docs/render.md) with a stack of open brackets instead of
// recursion.
#pragma once

#include "base/arena.h"
#include "render/shape.h"

namespace accp::render {

// How a value is written.
struct RenderStyle {
    // one line; texts with spaces are quoted, invisible characters are escaped
    bool untrusted = false;
    bool one_line = false;  // tables are written in one line
    bool tables = true;
    bool abbreviate = false;  // abbreviate the keys of a payload
};

class RenderWriter {
public:
    RenderWriter(Memory &memory, Arena &arena, uint64_t seed)
        : arena_(arena), seed_(seed), levels_(memory) {}

    // Appends a whole value.
    void value(value::TreeView tree, uint32_t root, const RenderStyle &style, Buffer<char> &out);
    // Appends the fields of a map after the head of a message, with `first` before the first field.
    // Writes nothing for an empty map.
    void fields(value::TreeView tree, uint32_t map, const RenderStyle &style,
                std::string_view first, Buffer<char> &out);
    // Appends these fields in the same way, but no text without quotes up to the end of the line.
    void field_list(value::TreeView tree, const uint32_t *nodes, uint32_t count,
                    const RenderStyle &style, Buffer<char> &out);
    // Appends these fields in braces.
    void block(value::TreeView tree, const uint32_t *nodes, uint32_t count,
               const RenderStyle &style, Buffer<char> &out);

private:
    enum class Kind : uint8_t { kFields, kItems, kRows };
    struct Level {
        Kind kind;
        bool first = true;
        bool top = false;     // the record's own fields, or a table with one line for each row
        bool comma = false;   // between the items of an array
        bool broken = false;  // the last field was such a table, so a new line begins
        unsigned char stops = 0;
        uint32_t next = 0, end = 0;      // nodes
        const uint32_t *list = nullptr;  // if set, `next` and `end` are indices in it
        uint32_t tail_field = 0;  // its text is written last, up to the end of the line; 0: none
        const Table *table = nullptr;
        bool owner = false;  // frees the table's memory in the arena at the end
        Arena::Mark mark = {};
        uint32_t step = 0;  // of the row
        // The first step that is not written. Absent cells are written when a later cell is.
        uint32_t pending = 0;
    };

    struct Printer;

    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
};

}  // namespace accp::render
