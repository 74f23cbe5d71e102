// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests the line reader with tiny buffers and pieces of every size. The lines never depend on the
// sizes of the pieces.
#include "cli/frames/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using cli::LineReader;

std::vector<std::string> read_all(const std::string &input, uint64_t limit, bool drop_cr,
                                  size_t block, size_t piece) {
    size_t done = 0;
    LineReader reader(
        [&](char *buffer, size_t size) {
            const size_t n = std::min({size, piece, input.size() - done});
            input.copy(buffer, n, done);
            done += n;
            return n;
        },
        limit, drop_cr, block);
    std::vector<std::string> lines;
    std::string_view line;
    while (reader.next(line)) lines.emplace_back(line);
    EXPECT_FALSE(reader.next(line)) << "the end stays the end";
    return lines;
}

void expect_lines(const std::string &input, uint64_t limit, bool drop_cr,
                  const std::vector<std::string> &want) {
    for (size_t block = 1; block <= 9; ++block) {
        for (size_t piece = 1; piece <= 9; ++piece) {
            EXPECT_EQ(read_all(input, limit, drop_cr, block, piece), want)
                << "block " << block << ", piece " << piece;
        }
    }
}

TEST(LineReader, LinesAndEmptyLines) {
    expect_lines("", 8, false, {});
    expect_lines("\n", 8, false, {""});
    expect_lines("a\n\nbc\n", 8, false, {"a", "", "bc"});
    expect_lines("\n\n", 8, false, {"", ""});
}

TEST(LineReader, LastLineWithoutLf) {
    expect_lines("a\nbc", 8, false, {"a", "bc"});
    expect_lines("a", 8, false, {"a"});
}

TEST(LineReader, NulIsAByte) {
    expect_lines(std::string("a\0b\n\0\n", 6), 8, false,
                 {std::string("a\0b", 3), std::string(1, '\0')});
}

TEST(LineReader, CrLf) {
    expect_lines("a\r\nb\r\r\n\r\nc\r", 8, true, {"a", "b\r", "", "c"});
    expect_lines("a\r\nb", 8, false, {"a\r", "b"});
    expect_lines("a\rb\r\n", 8, true, {"a\rb"});
}

TEST(LineReader, ExactlyTheLimitPasses) {
    expect_lines("12345\n12345", 5, false, {"12345", "12345"});
    expect_lines("12345\r\n12345\r", 5, true, {"12345", "12345"});
}

TEST(LineReader, OneByteMoreIsCut) {
    expect_lines("123456\nab\n", 5, false, {"123456", "ab"});
    expect_lines("1234567\nab\n", 5, false, {"123456", "ab"});
    expect_lines("123456\r\nab\n", 5, true, {"123456", "ab"});
    expect_lines("12345\r\r\nab\n", 5, true, {"12345\r", "ab"});
    expect_lines("123456", 5, false, {"123456"});
}

TEST(LineReader, TheRestOfALongLineIsSkipped) {
    const std::string longer(1000, 'x');
    expect_lines(longer + "\nab\n" + longer + "\n" + longer, 5, false,
                 {"xxxxxx", "ab", "xxxxxx", "xxxxxx"});
    expect_lines(longer + "\n\n", 5, true, {"xxxxxx", ""});
}

TEST(LineReader, AskingForNoMoreThanFits) {
    size_t max = 0;
    size_t left = 1 << 20;
    LineReader reader(
        [&](char *buffer, size_t size) {
            max = std::max(max, size);
            const size_t n = std::min(size, left);
            std::fill(buffer, buffer + n, 'x');
            left -= n;
            return n;
        },
        100, false, 64);
    std::string_view line;
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line.size(), 101u);
    ASSERT_FALSE(reader.next(line));
    EXPECT_EQ(left, 0u);
    EXPECT_LE(max, 100u + 2u + 64u) << "a long line must not make the buffer grow";
}

}  // namespace
