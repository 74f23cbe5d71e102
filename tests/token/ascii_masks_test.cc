// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every vector kernel finds the same classes as the portable loop: each byte in each position, and
// every length.
#include "token/ascii_masks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit.h"

namespace {

using namespace accp;

// Returns the masks as a list. The text is in a block of its exact size.
std::vector<uint64_t> find(const std::string &text) {
    std::unique_ptr<char[]> block(new char[text.size()]);
    std::memcpy(block.get(), text.data(), text.size());
    token::AsciiMasks m;
    std::memset(&m, 0xFF, sizeof m);
    token::find_masks(block.get(), text.size(), m);
    return {m.upper, m.lower, m.digit, m.space, m.blank, m.newline, m.quote, m.slash, m.high};
}

class MaskKernels : public testing::Test {
protected:
    void SetUp() override {
        for (const char *name : {"avx2", "avx512", "neon"})
            if (token::use_masks_kernel(name)) kernels.push_back(name);
#if defined(__aarch64__)
        ASSERT_FALSE(kernels.empty());
#endif
    }
    void TearDown() override { token::use_masks_kernel(nullptr); }

    void compare(const std::string &text) {
        ASSERT_TRUE(token::use_masks_kernel("portable"));
        const auto expected = find(text);
        for (const char *kernel : kernels) {
            ASSERT_TRUE(token::use_masks_kernel(kernel));
            ASSERT_EQ(find(text), expected) << kernel << " len " << text.size() << ": " << text;
        }
    }

    std::vector<const char *> kernels;
};

TEST_F(MaskKernels, EveryByteInEveryPlace) {
    for (int value = 0; value < 256; ++value)
        for (size_t place = 0; place < 64; ++place) {
            std::string text(64, '.');
            text[place] = static_cast<char>(value);
            compare(text);
        }
}

TEST_F(MaskKernels, EveryLength) {
    accp_unit::Random random(11);
    for (size_t len = 0; len <= 64; ++len)
        for (int round = 0; round < 16; ++round)
            compare(random.text("aZ09 \t\v\f\r\n'/.\x80\xFF", len));
}

TEST_F(MaskKernels, PortableByDefinition) {
    ASSERT_TRUE(token::use_masks_kernel("portable"));
    EXPECT_EQ(find("Aa0 \t\r'/\x80."),
              (std::vector<uint64_t>{1, 2, 4, 8, 0x18, 0x20, 0x40, 0x80, 0x100}));
    EXPECT_FALSE(token::use_masks_kernel("none such"));
}

}  // namespace
