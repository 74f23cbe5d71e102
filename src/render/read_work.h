// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One call of RenderReader: the records, objects and lists are in read.cc, the tables in
// read_table.cc.
#pragma once

#include "render/read.h"

namespace accp::render {

// One call. False from a function ends it; the scanner says why.
struct RenderReader::Work {
    Work(RenderReader &reader, const char *text, size_t len, size_t start, value::Value &out)
        : scan(text, len, start), reader(reader), out(out), levels(reader.levels_) {}

    bool record();

    Scanner scan;

private:
    bool root();
    bool head();
    bool is_text();
    bool head(bool untrusted);
    void say_untrusted(uint32_t payload);
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
