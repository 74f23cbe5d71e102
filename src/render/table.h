// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The layout of a table, as in its header: the cells of a row in order, and the gaps between them.
// TableLayout makes it for the writer, HeaderReader (scan.cc) for the reader. Both then write or
// read every row step by step.
#pragma once

#include <cstdint>
#include <string_view>

#include "render/text.h"

namespace accp::render {

// The text before a cell; empty for the first cell of a row.
struct Gap {
    char text[2];
    uint8_t len;

    std::string_view view() const { return {text, len}; }
};

struct Column;
struct Table;

enum class StepKind : uint8_t {
    kCell,
    kRows,   // an array of maps: a table in brackets
    kGroup,  // a map with a cell for each of its keys
    kRest    // a map in braces with all keys that have no column
};

// One cell of a row, or a group. The steps of a group's cells follow it.
struct Step {
    StepKind kind;
    bool optional;
    unsigned char stops;  // bytes that end a bare cell
    Gap before;           // a group has the gap of its first cell
    uint32_t skip;        // the next step; for a group, the step after its cells
    std::string_view name;
    Table *table;    // for kRows: the table in brackets
    Column *column;  // for the writer
};

struct Table {
    Step *steps;
    uint32_t count;
    bool keyed;   // a map: every row begins with its key and a colon
    bool spaced;  // rows inside brackets are separated by "; ", not ";"
    Gap key_gap;  // after the key
};

// Sets the bytes that end bare cells from the gaps on both sides: a cell can contain a space only
// if neither gap is a space. `nested`: inside brackets.
inline void set_stops(Table &table, bool nested) {
    auto stop = [](const Gap &gap) -> unsigned {
        return gap.len ? text_byte(gap.text[0]) & (kStopSpace | kStopComma | kStopPipe) : 0;
    };
    unsigned after = 0;
    for (uint32_t i = table.count; i-- > 0;) {
        Step &step = table.steps[i];
        if (step.kind == StepKind::kGroup) continue;
        step.stops = static_cast<unsigned char>((nested ? unsigned{kStopClose} : 0) | after |
                                                (stop(step.before) & kStopSpace));
        after = stop(step.before);
    }
}

}  // namespace accp::render
