// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Splits texts of people into units that each make one statement: sentences and list items.
#pragma once

#include "base/memory.h"

namespace accp::text {

struct Unit {
    uint32_t begin, end;  // bytes of the text, without Markdown markers before it
    bool is_item;         // in a list
    bool is_heading;
    bool opens_list;  // ends with a colon, so its content follows
};

// Appends the units of a text. Skips code blocks, tables, rules, quoted replies and diff lines. A
// sentence ends with `.`, `!` or `?` before white space and a possible beginning of a sentence, or
// with a full stop of CJK. It also ends with its line, unless the line was wrapped because it was
// full; the unit then contains the newline.
void split_units(std::string_view text, Buffer<Unit> &out);

}  // namespace accp::text
