// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every vector kernel finds the same symbols as the portable loop: at every length up to 200, at
// every alignment, in various kinds of text.
#include "frame/symbols.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>
#include <vector>

#include "base/bytes.h"
#include "unit.h"

namespace {

using namespace accp;

struct Found {
    bool good = false, escapes = false, high = false;
    std::vector<uint32_t> positions;
    std::vector<uint8_t> codes;
    bool operator==(const Found &) const = default;
};

// Positions and codes are in blocks of their exact size.
Found find_at(const char *text, size_t len, bool raw) {
    std::unique_ptr<uint32_t[]> positions(new uint32_t[len + 64]);
    std::unique_ptr<uint8_t[]> codes(new uint8_t[len + 64]);
    frame::Symbols symbols = {positions.get(), codes.get(), 0, false, false};
    Found found;
    found.good = frame::find_symbols(text, len, raw, symbols);
    if (!found.good) return found;
    found.escapes = symbols.escapes;
    found.high = symbols.high;
    found.positions.assign(positions.get(), positions.get() + symbols.count);
    for (uint32_t position : found.positions) found.codes.push_back(codes[position]);
    return found;
}

// The text is `shift` bytes after an aligned address.
Found find(const std::string &text, size_t shift, bool raw) {
    std::unique_ptr<char[]> block(new char[text.size() + shift]);
    std::memcpy(block.get() + shift, text.data(), text.size());
    return find_at(block.get() + shift, text.size(), raw);
}

class SymbolKernels : public testing::Test {
protected:
    void SetUp() override {
        for (const char *name : {"ssse3", "avx2", "avx512", "neon"})
            if (frame::use_symbols_kernel(name)) kernels.push_back(name);
#if defined(__x86_64__) || defined(__aarch64__)
        ASSERT_FALSE(kernels.empty());
#endif
    }
    void TearDown() override { frame::use_symbols_kernel(nullptr); }

    void compare(const std::string &text, size_t shift) {
        for (bool raw : {false, true}) {
            ASSERT_TRUE(frame::use_symbols_kernel("portable"));
            const Found expected = find(text, shift, raw);
            for (const char *kernel : kernels) {
                ASSERT_TRUE(frame::use_symbols_kernel(kernel));
                ASSERT_TRUE(find(text, shift, raw) == expected)
                    << kernel << " len " << text.size() << " shift " << shift << ": " << text;
            }
        }
    }

    std::vector<const char *> kernels;
};

TEST_F(SymbolKernels, RandomTextOfEveryLength) {
    accp_unit::Random random(9);
    const std::string tempers[] = {"abc@>:{}[]|$,~\\", "aaaaaaaaaaaaaaab:", "\\\\\\\\@a",
                                   "a.%_-\"|,",        "a|\xC3\xA9,",       "@>:{}[]|$,~"};
    for (size_t len = 0; len <= 200; ++len) {
        for (const std::string &temper : tempers) {
            for (int round = 0; round < 8; ++round) compare(random.text(temper, len), round % 2);
        }
    }
}

TEST_F(SymbolKernels, EveryAlignment) {
    accp_unit::Random random(10);
    for (size_t shift = 0; shift < 64; ++shift)
        for (size_t len :
             {size_t{1}, size_t{31}, size_t{63}, size_t{64}, size_t{65}, size_t{127}, size_t{130}})
            compare(random.text("ab@:\\|@", len), shift);
}

// Bytes after a text do not matter, and nothing is read beyond the end of its page.
TEST_F(SymbolKernels, NothingBehindTheTextMatters) {
    constexpr size_t kPage = 1 << 16;  // a multiple of any page size
    void *pages =
        mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    char *end = static_cast<char *>(pages) + kPage;
    ASSERT_EQ(mprotect(end, kPage, PROT_NONE), 0);
    accp_unit::Random random(11);
    for (size_t len = 0; len <= 130; ++len)
        for (size_t behind : {0, 1, 20, 63, 64, 200})
            for (const char *what : {"@|", "\\", " ", "\xFF", ":1"}) {
                const std::string text = random.text("ab1@:\\|@", len);
                std::string whole = text;
                while (whole.size() < len + behind) whole += what;
                whole.resize(len + behind);
                char *at = end - whole.size();
                std::memcpy(at, whole.data(), whole.size());
                ASSERT_TRUE(frame::use_symbols_kernel("portable"));
                const Found expected = find_at(at, len, false);
                for (const char *kernel : kernels) {
                    ASSERT_TRUE(frame::use_symbols_kernel(kernel));
                    ASSERT_TRUE(find_at(at, len, false) == expected)
                        << kernel << ", before " << behind << " of " << what << ": " << text;
                }
            }
    munmap(pages, 2 * kPage);
}

TEST_F(SymbolKernels, EveryByteInEveryPlace) {
    for (int value = 0; value < 256; ++value)
        for (size_t place = 0; place < 130; ++place) {
            std::string text(130, place % 2 ? 'a' : '.');
            text[place] = static_cast<char>(value);
            compare(text, 0);
            if (place) text[place - 1] = '\\', compare(text, 0);
        }
}

// The portable loop, against its definition.
TEST_F(SymbolKernels, PortableByDefinition) {
    ASSERT_TRUE(frame::use_symbols_kernel("portable"));
    const std::string text = "@a-b>req:x{k:\\~,l:$w.k|m:[1,,]}";
    const Found found = find(text, 0, false);
    ASSERT_TRUE(found.good);
    EXPECT_TRUE(found.escapes);
    std::vector<uint32_t> positions;
    std::vector<uint8_t> codes;
    uint8_t bits = 0;
    for (uint32_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '\\') {
            ++i;
            bits = frame::kFilled | frame::kOther | frame::kNonDigit;
        } else if (accp::is_delimiter(c)) {
            positions.push_back(i);
            codes.push_back(static_cast<uint8_t>(frame::delimiter_code(c) | bits));
            bits = 0;
        } else {
            bits = static_cast<uint8_t>(bits | frame::kFilled |
                                        (accp::is_word(c) ? 0 : frame::kOther) |
                                        (accp::is_digit(c) ? 0 : frame::kNonDigit));
        }
    }
    EXPECT_EQ(found.positions, positions);
    EXPECT_EQ(found.codes, codes);
    for (const char *bad : {"a b", "a\x7F", "a\\", "a\\b", "a\n", "\xC3\xA9"})
        EXPECT_FALSE(find(bad, 0, false).good) << bad;
    EXPECT_TRUE(find("\xC3\xA9", 0, true).high);
}

TEST_F(SymbolKernels, ChoosingOne) {
    EXPECT_FALSE(frame::use_symbols_kernel("none such"));
    EXPECT_TRUE(frame::use_symbols_kernel("portable"));
    EXPECT_TRUE(frame::use_symbols_kernel(nullptr));
}

}  // namespace
