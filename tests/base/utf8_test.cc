// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// UTF-8 in both directions, against table 3-7 of the Unicode standard (well-formed byte sequences).
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using accp::read_utf8;
using accp::valid_utf8_prefix;
using accp::write_utf8;

// Table 3-7: the ranges of each byte.
struct Row {
    int size;
    unsigned char low[4], high[4];
};
constexpr Row kTable[] = {
    {1, {0x00}, {0x7F}},
    {2, {0xC2, 0x80}, {0xDF, 0xBF}},
    {3, {0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}},
    {3, {0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}},
    {3, {0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}},
    {3, {0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}},
    {4, {0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}},
    {4, {0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}},
    {4, {0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}},
};

size_t expected_prefix(const std::string &text) {
    size_t at = 0;
    while (at < text.size()) {
        size_t taken = 0;
        for (const Row &row : kTable) {
            bool fits = text.size() - at >= static_cast<size_t>(row.size);
            for (int i = 0; fits && i < row.size; ++i) {
                auto byte = static_cast<unsigned char>(text[at + static_cast<size_t>(i)]);
                fits = byte >= row.low[i] && byte <= row.high[i];
            }
            if (fits) taken = static_cast<size_t>(row.size);
        }
        if (!taken) break;
        at += taken;
    }
    return at;
}

TEST(Utf8, EveryCodePointGoesBothWays) {
    for (uint32_t point = 0; point <= 0x10FFFF; ++point) {
        if (point >= 0xD800 && point < 0xE000) continue;
        char bytes[4];
        const auto size = static_cast<size_t>(write_utf8(point, bytes) - bytes);
        ASSERT_EQ(size, point < 0x80 ? 1u : point < 0x800 ? 2u : point < 0x10000 ? 3u : 4u);
        ASSERT_EQ(valid_utf8_prefix(bytes, size), size) << point;
        const char *p = bytes;
        ASSERT_EQ(read_utf8(p), point);
        ASSERT_EQ(p, bytes + size);
    }
}

TEST(Utf8, EverySequenceOfTwoBytes) {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            const std::string text = {static_cast<char>(a), static_cast<char>(b)};
            ASSERT_EQ(valid_utf8_prefix(text.data(), text.size()), expected_prefix(text))
                << a << ' ' << b;
        }
    }
}

// Every class of byte in every position, followed by a letter.
TEST(Utf8, EverySequenceOfEdges) {
    const std::vector<int> edges = {0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
                                    0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
                                    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFC, 0xFF};
    for (int a : edges)
        for (int b : edges)
            for (int c : edges)
                for (int d : edges) {
                    const std::string text = {static_cast<char>(a), static_cast<char>(b),
                                              static_cast<char>(c), static_cast<char>(d), 'x'};
                    for (size_t len = 3; len <= 5; ++len)
                        ASSERT_EQ(valid_utf8_prefix(text.data(), len),
                                  expected_prefix(text.substr(0, len)))
                            << a << ' ' << b << ' ' << c << ' ' << d;
                }
}

}  // namespace
