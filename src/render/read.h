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

    struct Parser;

    const Settings &settings_;
    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
    Buffer<char> scratch_;
};

// The number of lines after this one that belong to its record: those of the table whose header it
// ends with.
uint64_t count_row_lines(std::string_view line);

// One call of RenderReader: the records, objects and lists are in read.cc, the tables in
// read_table.cc.

// One call. False from a function ends it; the scanner says why.
struct RenderReader::Parser {
    Parser(RenderReader &reader, const char *text, size_t len, size_t start, value::Value &out)
        : scan(text, len, start), reader(reader), out(out), levels(reader.levels_) {}

    bool record();

    Scanner scan;

private:
    bool root();
    bool head();
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
    uint32_t untrusted_from = kNone;  // the place of the payload's first field that is marked
    bool in_payload = false;
    bool abbreviated = false;  // the fields of the record are a payload's, by their codes
};

}  // namespace accp::render
