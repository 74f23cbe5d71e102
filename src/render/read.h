// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Render text to a value (docs/render.md), without recursion: a level for each open bracket.
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "render/scan.h"
#include "value/value.h"

namespace accp::render {

class RenderReader {
public:
    RenderReader(Memory &memory, Arena &arena, uint64_t seed, const Settings &settings)
        : settings_(settings), arena_(arena), seed_(seed), levels_(memory), scratch_(memory) {}

    // Replaces `out` by the record that begins at `start` of a text. The offset of a failure is a
    // byte of the text.
    Status read(const char *text, size_t len, size_t start, value::Value &out);

private:
    enum class Kind : uint8_t { kFields, kItems, kRows, kCells };
    struct Level {
        Kind kind;
        bool first = true;
        bool top = false;     // a record's own fields, or rows with a line each
        bool broken = false;  // fields: the last value was a table with a line a row
        bool rest = false;    // fields: of the row that is open outside
        bool comma = false;   // items: what parts them
        uint32_t node = 0, count = 0;
        const Table *table = nullptr;
        bool owner = false;  // rows: of the table, whose header is given back at its end
        Arena::Mark mark = {};
        uint32_t step = 0, end = 0;  // cells
        uint64_t rows = 0;           // rows still to come, where they were counted
    };

    struct Work;

    const Settings &settings_;
    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
    Buffer<char> scratch_;
};

// The number of lines after this one that belong to its record: those of the table whose header it
// ends with.
uint64_t count_row_lines(std::string_view line);

}  // namespace accp::render
