// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts survive compression, and no bytes outside the buffers are read or written.
#include "base/lz.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

using namespace accp;

namespace {

// Uses buffers of their exact size in both directions, so that a sanitizer detects accesses
// outside.
class Lz : public testing::Test {
protected:
    std::string pack(const std::string &text) {
        Buffer<char> out(memory_);
        packer_.pack(std::string_view(std::string(text).data(), text.size()), out);
        return std::string(out.view());
    }
    bool unpack(const std::string &packed, size_t size, std::string &out) {
        const std::unique_ptr<char[]> exact(new char[packed.size() + 1]);
        packed.copy(exact.get(), packed.size());
        Buffer<char> found(memory_);
        found.append("before");
        const bool right = lz_unpack({exact.get(), packed.size()}, size, found);
        EXPECT_EQ(found.size(), right ? size + 6 : 6);
        out = std::string(found.view()).substr(6);
        return right;
    }
    void expect_back(const std::string &text) {
        const std::string packed = pack(text);
        EXPECT_LE(packed.size(), text.size());
        std::string back;
        ASSERT_TRUE(unpack(packed, text.size(), back));
        ASSERT_TRUE(back == text) << text.size();
    }
    // Words of a few letters, so that much of the text repeats, near and far.
    std::string text_of(size_t size) {
        std::string text;
        while (text.size() < size) {
            const size_t from = text.empty() ? 0 : random_() % text.size();
            if (random_() % 3) text += text.substr(from, random_() % 300);
            else
                for (size_t i = random_() % 40; i; --i)
                    text += static_cast<char>(random_() % (random_() % 2 ? 4 : 256));
        }
        return text.substr(0, size);
    }

    Memory memory_{private_allocator(), UINT64_MAX};
    LzPacker packer_{memory_};
    std::mt19937 random_{1};
};

TEST_F(Lz, TextsComeBack) {
    for (size_t size = 0; size < 300; ++size) {
        expect_back(std::string(size, 'a'));
        expect_back(text_of(size));
    }
    for (int i = 0; i < 300; ++i) expect_back(text_of(random_() % 200000));
    std::string noise;  // noise does not compress and is stored unchanged
    for (int i = 0; i < 1000; ++i) noise += static_cast<char>(random_());
    EXPECT_EQ(pack(noise), noise);
    expect_back(noise + std::string(70000, 'x') + noise);  // too far back for an offset
}

TEST_F(Lz, WhatRepeatsGetsShorter) {
    std::string lines;
    for (int i = 0; i < 100; ++i) lines += R"({"agent":"a","n":)" + std::to_string(i) + "}\n";
    EXPECT_LT(pack(lines).size(), lines.size() / 2);
    EXPECT_LT(pack(std::string(100000, 'a')).size(), 500u);
}

// After any change, truncation or insertion, the result is an error or a text of the requested
// size.
TEST_F(Lz, DamageIsAnErrorOrAnotherText) {
    int told = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string text = text_of(40 + random_() % 400);
        std::string packed = pack(text), back;
        if (packed.size() == text.size()) continue;
        size_t size = text.size();
        switch (random_() % 4) {
            case 0: packed[random_() % packed.size()] = static_cast<char>(random_()); break;
            case 1: packed.resize(random_() % packed.size()); break;
            case 2:
                packed.insert(random_() % packed.size(), 1, static_cast<char>(random_()));
                break;
            default: size += 1 + random_() % 1000;
        }
        told += !unpack(packed, size, back);
    }
    EXPECT_GT(told, 5000);
}

// A size that so few bytes cannot produce does not allocate memory.
TEST_F(Lz, ASizeThatIsNoneIsRefusedBeforeMemoryIsTaken) {
    Memory little(private_allocator(), 1000);
    Buffer<char> out(little);
    EXPECT_FALSE(lz_unpack("\x1Fx\x01\x00\xFF", size_t{1} << 40, out));
    EXPECT_FALSE(lz_unpack("", 1, out));
    EXPECT_TRUE(lz_unpack("", 0, out));
}

struct Bytes {
    const char *what;
    std::string packed;
    size_t size;
};

TEST_F(Lz, WhatCannotBe) {
    // three literals, a match of six bytes at distance one, twelve literals
    const std::string block(std::string("\x32xyz\1\0", 6) + "\xC0" + "abcdefghijkl");
    const Bytes cases[] = {
        {"an offset of none", std::string("\x10x\0\0", 4), 5},
        {"an offset before the text", std::string("\x10x\2\0", 4), 5},
        {"half an offset", std::string("\x10x\1", 3), 5},
        {"literals that are not there", std::string("\xF0\x05xx", 4), 20},
        {"a count without an end", std::string("\xF0\xFF\xFF", 3), 20},
        {"a match without an end", std::string("\x1Fx\1\0\xFF", 5), 300},
        {"a match that is too long", std::string("\x1Fx\1\0\x09", 5), 20},
        {"more than was asked for", block, 20},
        {"less than was asked for", block, 22},
    };
    for (const Bytes &it : cases) {
        std::string back;
        EXPECT_FALSE(unpack(it.packed, it.size, back)) << it.what;
    }
    std::string back;
    EXPECT_TRUE(unpack(block, 21, back));
    EXPECT_EQ(back, "xyzzzzzzzabcdefghijkl");
}

}  // namespace
