// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The number of lines of a record, read from the end of its first line.
#include <gtest/gtest.h>

#include "render/read.h"

namespace {

using accp::render::count_row_lines;

TEST(RowLines, OnlyACountAtTheEnd) {
    EXPECT_EQ(accp::render::count_row_lines("t:(a b)[12]:"), 12u);
    EXPECT_EQ(accp::render::count_row_lines("(a)[999999999]:"), 999999999u);
    for (const char *line : {"", "]:", "[]:", "t:(a b)[12]", "t:(a b)[12]: ", "t:(a b)[1x]:",
                             "12]:", "a: text", "(a)[1234567890]:"})
        EXPECT_EQ(accp::render::count_row_lines(line), 0u) << line;
}

}  // namespace
