// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What people write, in the pieces in which they say one thing: sentences, and items of lists.
#pragma once

#include "base/memory.h"

namespace accp::text {

struct Unit {
    uint32_t begin, end;  // bytes of the text, without the marks of Markdown before it
    bool is_item;         // of a list
    bool is_heading;
    bool opens_list;  // it ends with a colon, so what it says comes after it
};

// Appends the units of a text. Code blocks, tables, rules, quoted replies and lines of a diff say
// nothing. A sentence ends with `.`, `!` or `?` before white space and what may begin one (CJK:
// with its own full stops), and with its
// line, but for one that was broken where it was full: the unit has its newline then.
void split_units(std::string_view text, Buffer<Unit> &out);

}  // namespace accp::text
