// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads render text into a value (docs/render.md) with a stack of open brackets instead of
// recursion.
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

    // Replaces `out` by the record at `start` of a text. The offset of a failure is a byte of the
    // text.
    Status read(const char *text, size_t len, size_t start, value::Value &out);

private:
    enum class Kind : uint8_t { kFields, kItems, kRows, kCells };
    struct Level {
        Kind kind;
        bool first = true;
        bool top = false;     // the record's own fields, or a table with one line for each row
        bool broken = false;  // fields: the last value was a table with one line for each row
        bool rest = false;    // fields: the other fields of the open row
        bool comma = false;   // items: separated by commas
        uint32_t node = 0, count = 0;
        const Table *table = nullptr;
        bool owner = false;  // rows: frees the table's header at the end
        Arena::Mark mark = {};
        uint32_t step = 0, end = 0;  // cells
        uint64_t rows = 0;           // remaining rows, if they were counted
    };

    struct Parser;

    const Settings &settings_;
    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
    Buffer<char> scratch_;
};

// Returns how many lines after this one belong to its record: the rows of the table whose header
// ends the line.
uint64_t count_row_lines(std::string_view line);

// One call of RenderReader. Functions return false on failure; the scanner then has the error.
// Records, objects and lists are in read.cc, tables in read_table.cc.
struct RenderReader::Parser {
    Parser(RenderReader &reader, const char *text, size_t len, size_t start, value::Value &out)
        : scan(text, len, start), reader(reader), out(out), levels(reader.levels_) {}

    bool record();

    Scanner scan;

private:
    bool root();
    bool is_text();
    bool head(bool untrusted);
    void write_untrusted_list(uint32_t payload);
    bool name(std::string_view key, unsigned char wanted, const char *message);
    bool run();
    bool next();
    bool next_field(Level &level);
    bool field(Level &level);
    bool field_key(bool top);
    bool line_text();
    bool next_item(Level &level);
    bool item(Level &level);
    bool next_row(Level &level);
    bool row(Level &level);
    bool next_cell(Level &level);
    bool cell(Level &level, const Step &step);
    bool at_row_end() const;
    bool value(unsigned stops, bool top);
    bool quoted();
    bool bare(unsigned stops);
    bool ref();
    bool table(bool top);
    bool open(uint8_t kind, Level level);
    bool open_fields(bool top);
    bool close();
    Level &top() { return levels[levels.size() - 1]; }

    RenderReader &reader;
    value::Value &out;
    Buffer<Level> &levels;
    uint32_t depth = 0;
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t untrusted_from = kNone;  // index of the first marked field of the payload
    bool in_payload = false;
    bool abbreviated = false;  // the fields are those of a payload with abbreviated keys
};

}  // namespace accp::render
