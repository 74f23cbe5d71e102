// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A table as its header states it: what stands in a row, in order, and what stands between. The
// writer lays one out (layout.h), the reader reads one from a header, and both then walk its steps.
#pragma once

#include <cstdint>
#include <string_view>

#include "render/text.h"

namespace accp::render {

// What stands in front of a cell; nothing before a row's first.
struct Gap {
    char text[2];
    uint8_t len;

    std::string_view view() const { return {text, len}; }
};

struct Column;
struct Table;

enum class StepKind : uint8_t { kCell, kRows, kGroup, kRest };

// One cell of a row; or, before the cells of a group, where to go on when the row has none of it.
struct Step {
    StepKind kind;
    bool optional;
    unsigned char stops;  // what ends a bare cell
    Gap before;           // a group's is that of its first cell
    uint32_t skip;        // the step after this one, and after all of a group
    std::string_view name;
    Table *table;    // kRows: what stands in its brackets
    Column *column;  // the writer's
};

struct Table {
    Step *steps;
    uint32_t count;
    bool keyed;   // a map: every row begins with its key and a colon
    bool spaced;  // rows inside brackets are parted by "; ", not ";"
    Gap key_gap;  // after the key
};

// What ends bare cells, from the gaps on both sides: a cell may hold a space only where neither gap
// is one. `nested`: inside brackets.
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
