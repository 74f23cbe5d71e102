// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Operations on sixteen bytes give the same results as on single bytes, for every byte in every
// position. Built twice: with SSE2 and without.
#include "base/bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using accp::Bytes16;

template <class Ask, class Expect>
void check(const char *what, Ask ask, Expect expect) {
    for (int value = 0; value < 256; ++value) {
        const auto byte = static_cast<unsigned char>(value);
        for (int place = 0; place < 16; ++place) {
            for (int filler : {0x00, 0x61, 0x7E, 0x80, 0xFF}) {
                char bytes[16];
                std::memset(bytes, filler, sizeof bytes);
                bytes[place] = static_cast<char>(byte);
                uint32_t expected = 0;
                for (int i = 0; i < 16; ++i)
                    expected |= uint32_t{expect(static_cast<unsigned char>(bytes[i]))} << i;
                ASSERT_EQ(ask(Bytes16::load(bytes)), expected)
                    << what << " byte " << value << " at " << place << " among " << filler;
            }
        }
    }
}

TEST(Vector, EveryQuestionForEveryByte) {
    for (unsigned char c : {'"', '\\', '_', '\x80', '\0'})
        check(
            "equal", [c](Bytes16 b) { return b.equal(static_cast<char>(c)); },
            [c](unsigned char b) { return b == c; });
    for (unsigned char c : {0x20, 0x21, 0x7F, 0x80, 0xFF})
        check(
            "below", [c](Bytes16 b) { return b.below(c); }, [c](unsigned char b) { return b < c; });
    check(
        "high", [](Bytes16 b) { return b.high(); }, [](unsigned char b) { return b >= 0x80; });
    check(
        "words", [](Bytes16 b) { return b.words(); },
        [](unsigned char b) {
            return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') ||
                   b == '_';
        });
    check(
        "unsafe", [](Bytes16 b) { return b.unsafe(); },
        [](unsigned char b) {
            return b <= 0x20 || b >= 0x7F ||
                   std::string_view("@>:{}[]|$,~\\").find(static_cast<char>(b)) !=
                       std::string_view::npos;
        });
}

TEST(Vector, StoreWritesWhatLoadRead) {
    char from[17], to[18] = {};
    for (int i = 0; i < 17; ++i) from[i] = static_cast<char>(i * 17);
    Bytes16::load(from + 1).store(to + 1);
    EXPECT_EQ(std::memcmp(from + 1, to + 1, 16), 0);
    EXPECT_TRUE(to[0] == 0 && to[17] == 0);
}

}  // namespace
