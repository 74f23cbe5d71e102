// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The code points that the u8 dialect allows raw: all 1,114,112 against the list in docs/wire.md 3,
// and every kind of invalid bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/utf8.h"
#include "frame/raw.h"

namespace {

using namespace accp;

// "those from U+00A1 below U+E0000, except …", in the same words and order.
bool allowed(uint32_t point) {
    if (point < 0xA1 || point >= 0xE0000) return false;
    if ((point & 0xFFFF) == 0xFFFE || (point & 0xFFFF) == 0xFFFF) return false;
    const struct {
        uint32_t first, last;
    } except[] = {{0xAD, 0xAD},     {0x600, 0x605},   {0x61C, 0x61C},   {0x6DD, 0x6DD},
                  {0x70F, 0x70F},   {0x115F, 0x115F}, {0x1160, 0x1160}, {0x1680, 0x1680},
                  {0x17B4, 0x17B4}, {0x17B5, 0x17B5}, {0x180E, 0x180E}, {0x2000, 0x200F},
                  {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000}, {0x3164, 0x3164},
                  {0xD800, 0xF8FF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
                  {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}};
    for (const auto &range : except)
        if (point >= range.first && point <= range.last) return false;
    return true;
}

std::string utf8(uint32_t point) {  // surrogates too
    char bytes[4];
    return {bytes, write_utf8(point, bytes)};
}

TEST(RawPoint, EveryCodePoint) {
    for (uint32_t point = 0; point <= 0x10FFFF; ++point) {
        ASSERT_EQ(frame::is_raw_point(point), allowed(point)) << std::hex << point;
        if (point < 0x80) continue;
        const std::string bytes = utf8(point);
        int good = -1;
        ASSERT_EQ(frame::raw_point(bytes.data(), bytes.size(), &good),
                  allowed(point) ? static_cast<int>(bytes.size()) : 0)
            << std::hex << point;
        ASSERT_EQ(frame::raw_text_prefix(bytes.data(), bytes.size()) == bytes.size(),
                  allowed(point))
            << std::hex << point;
    }
}

// The prefixes that can be continued to an allowed code point: every prefix of an allowed one.
class RawPrefixes : public testing::Test {
protected:
    RawPrefixes() : one(256), two(1 << 16), three(1 << 24) {
        for (uint32_t point = 0x80; point <= 0x10FFFF; ++point) {
            if (!allowed(point)) continue;
            const std::string bytes = utf8(point);
            auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(bytes[i])}; };
            one[byte(0)] = true;
            if (bytes.size() > 1) two[byte(0) << 8 | byte(1)] = true;
            if (bytes.size() > 2) three[byte(0) << 16 | byte(1) << 8 | byte(2)] = true;
        }
    }
    // How many bytes of an invalid code point can be continued.
    int good(const std::string &text) const {
        auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(text[i])}; };
        if (text.empty() || !one[byte(0)]) return 0;
        if (text.size() < 2 || !two[byte(0) << 8 | byte(1)]) return 1;
        if (text.size() < 3 || !three[byte(0) << 16 | byte(1) << 8 | byte(2)]) return 2;
        return 3;
    }
    void check(const std::string &text) const {
        int got = -1;
        if (frame::raw_point(text.data(), text.size(), &got)) return;  // EveryCodePoint tests these
        ASSERT_EQ(got, good(text)) << testing::PrintToString(text);
        ASSERT_EQ(frame::raw_text_prefix(("a" + text).data(), text.size() + 1),
                  1u + static_cast<size_t>(got))
            << testing::PrintToString(text);
    }

    std::vector<bool> one, two, three;
};

TEST_F(RawPrefixes, EveryLeadByteAlone) {
    for (int a = 0x80; a < 256; ++a) check({static_cast<char>(a)});
}

TEST_F(RawPrefixes, EveryTwoBytes) {
    for (int a = 0x80; a < 256; ++a)
        for (int b = 0; b < 256; ++b) check({static_cast<char>(a), static_cast<char>(b)});
}

TEST_F(RawPrefixes, EveryThreeAndFourBytesOfEdges) {
    const std::vector<int> edges = {0x20, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xA1,
                                    0xAF, 0xB0, 0xBD, 0xBE, 0xBF, 0xC2, 0xE0, 0xF0, 0xFF};
    for (int a = 0xE0; a < 256; ++a)
        for (int b = 0x7F; b < 0xC1; ++b)
            for (int c : edges) {
                check({static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)});
                for (int d : edges)
                    check({static_cast<char>(a), static_cast<char>(b), static_cast<char>(c),
                           static_cast<char>(d)});
            }
}

TEST(RawText, PassesOverAsciiAndWholePoints) {
    const std::string text = "abc 日本 é x";
    EXPECT_EQ(frame::raw_text_prefix(text.data(), text.size()), text.size());
    const std::string nbsp = "日\xC2\xA0";  // U+00A0: its lead byte can still become U+00A1
    EXPECT_EQ(frame::raw_text_prefix(nbsp.data(), nbsp.size()), 4u);
    EXPECT_EQ(frame::raw_text_prefix("", 0), 0u);
}

}  // namespace
