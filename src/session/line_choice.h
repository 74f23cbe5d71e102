// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Some lines of a long text, with what is left out of it said.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::session {

// Of what one answer has at most; then it says which lines to ask for.
constexpr size_t kMaxAnswerBytes = 64 << 10;

struct LineRange {  // counted from 1, both in it
    uint64_t first = 1, last = UINT64_MAX;
};

// "10-40", "10", "10-". False: it is none.
bool read_lines(std::string_view text, LineRange &out);
// Appends these lines, under a line that says of how many where they are not all.
void write_lines(std::string_view text, LineRange range, Buffer<char> &out);
// Appends the lines that have the query in them, in letters of either case, with their numbers, and
// two before and after each.
void write_matches(std::string_view text, std::string_view query, Buffer<char> &out);

}  // namespace accp::session
