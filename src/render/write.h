// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A value as render text (docs/render.md), without recursion: a level for each open bracket.
#pragma once

#include "base/arena.h"
#include "render/shape.h"

namespace accp::render {

// How a value is written.
struct RenderStyle {
    // one line, every text with spaces in quotes, what cannot be seen escaped
    bool untrusted = false;
    bool one_line = false;  // no line a row
    bool tables = true;
    bool abbreviate = false;  // the keys of a payload
};

class RenderWriter {
public:
    RenderWriter(Memory &memory, Arena &arena, uint64_t seed)
        : arena_(arena), seed_(seed), levels_(memory) {}

    // Appends a whole value.
    void value(value::TreeView tree, uint32_t root, const RenderStyle &style, Buffer<char> &out);
    // Appends the fields of a map as they stand after the head of a message: `first` is put before
    // the first of them. Nothing for an empty map.
    void fields(value::TreeView tree, uint32_t map, const RenderStyle &style,
                std::string_view first, Buffer<char> &out);
    // Appends some of them in the same way, and none as the rest of the line.
    void some(value::TreeView tree, const uint32_t *nodes, uint32_t count, const RenderStyle &style,
              Buffer<char> &out);
    // Appends these fields in braces.
    void block(value::TreeView tree, const uint32_t *nodes, uint32_t count,
               const RenderStyle &style, Buffer<char> &out);

private:
    enum class Kind : uint8_t { kFields, kItems, kRows };
    struct Level {
        Kind kind;
        bool first = true;
        bool top = false;     // the record's own fields, or a table with a line a row
        bool comma = false;   // between the items of an array
        bool broken = false;  // the last field was such a table: a new line begins
        unsigned char stops = 0;
        uint32_t next = 0, end = 0;      // nodes
        const uint32_t *list = nullptr;  // places in it instead
        uint32_t tail_field = 0;         // the field that is the rest of the line
        const Table *table = nullptr;
        bool owner = false;  // of the table: what it took of the arena is given back at its end
        Arena::Mark mark = {};
        uint32_t step = 0;  // of the row
        // the first step not yet written: absent ones are, once one after them is
        uint32_t pending = 0;
    };

    struct Printer;

    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
};

}  // namespace accp::render
