// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The pieces of a window equal those of the definition, for texts of the characters that matter in
// patterns, mixed with other scripts, and cut at every length around a window.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "token/ascii_masks.h"
#include "token/pretoken.h"
#include "unit.h"

namespace {

using namespace accp;

// Returns the starts of the pieces of `text` by definition.
std::vector<bool> starts_of(const token::Pattern &pattern, const std::string &text) {
    std::vector<bool> starts(text.size() + 1);
    const char *begin = text.data(), *end = begin + text.size();
    for (const char *at = begin; at < end; at = pattern.piece(at, end, pattern.rules))
        starts[static_cast<size_t>(at - begin)] = true;
    starts[text.size()] = true;
    return starts;
}

void compare(const token::Pattern &pattern, const std::string &text) {
    const std::vector<bool> expected = starts_of(pattern, text);
    const char *end = text.data() + text.size();
    const token::Window window = pattern.window(text.data(), end, pattern.rules);
    ASSERT_TRUE(window.length <= text.size() && window.length <= 64);
    for (uint32_t i = 0; i < window.length; ++i) {
        ASSERT_EQ(window.starts >> i & 1, uint64_t{expected[i]})
            << pattern.name << ", byte " << i << " of: " << text;
        const bool digit = text[i] >= '0' && text[i] <= '9';
        ASSERT_EQ(window.numbers >> i & 1, uint64_t{expected[i] && digit});
    }
    ASSERT_TRUE(expected[window.length]) << pattern.name << ", the end in: " << text;
}

TEST(Windows, SayWhatTheDefinitionSays) {
    const std::vector<std::string> parts = {"a",
                                            "a",
                                            "Z",
                                            "Bc",
                                            "the",
                                            "1",
                                            "22",
                                            " ",
                                            " ",
                                            "  ",
                                            "\n",
                                            "\r\n",
                                            "\t",
                                            "'",
                                            "'s",
                                            "'LL",
                                            "'re",
                                            ".",
                                            "..",
                                            "/",
                                            "\"",
                                            "-",
                                            "\xC5\xBF",
                                            "\xC3\xA9",
                                            "\xC3\x89",
                                            "\xE2\x80\x99",
                                            "\xE2\x80\x9C",
                                            "\xCC\x81",
                                            "\xC2\xA0",
                                            "\xE3\x80\x80",
                                            "\xC2\xB2",
                                            "\xE4\xB8\xAD"};
    uint32_t state = 1;
    auto next = [&](size_t below) {
        state = state * 1664525 + 1013904223;
        return (state >> 8) % below;
    };
    for (const char *kernel : {"portable", "avx2", "avx512", "neon"}) {
        if (!token::use_masks_kernel(kernel)) continue;
        for (const char *name : {"o200k_base", "cl100k_base", "qwen2", "qwen35", "tekken"}) {
            const token::Pattern &pattern = *token::find_pattern(name);
            for (int i = 0; i < (ACCP_EMULATED ? 4000 : ACCP_SANITIZED ? 10000 : 40000); ++i) {
                const size_t ascii = next(3) ? parts.size() : 22, size = next(2) ? 70 : next(70);
                std::string text;
                while (text.size() < size) text += parts[next(ascii)];
                ASSERT_NO_FATAL_FAILURE(compare(pattern, text));
            }
        }
    }
    token::use_masks_kernel(nullptr);
}

}  // namespace
