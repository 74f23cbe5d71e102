// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A growing text always has the same count as the whole text.
#include "tokens.h"

namespace accp_tokens {
namespace {

class TokenGrowing : public testing::TestWithParam<int> {
protected:
    Counting growing{GetParam() ? "cl100k_base" : "o200k_base"},
        whole{GetParam() ? "cl100k_base" : "o200k_base"};
};

// Split at every byte, with and without a count in between.
TEST_P(TokenGrowing, EqualsThePlainCountAtEverySplit) {
    for (size_t i = 0; i < vectors().size(); i += 5) {
        const std::string_view text = vectors()[i].text;
        if (text.size() > 2000) continue;
        for (size_t at = 0; at <= text.size() && at < 200; ++at) {
            accp_counter_reset(growing.counter.get());
            growing.append(text.substr(0, at));
            if (at % 2) {
                ASSERT_EQ(growing.total(), whole.count(text.substr(0, at)));
            }
            growing.append(text.substr(at));
            ASSERT_EQ(growing.total(), vectors()[i].counts[GetParam()])
                << at << ' ' << testing::PrintToString(text);
        }
    }
}

// Byte by byte, with a count after each.
TEST_P(TokenGrowing, EqualsThePlainCountAfterEveryByte) {
    for (size_t i = 0; i < vectors().size(); i += 11) {
        const std::string_view text = vectors()[i].text;
        if (text.size() > 2000) continue;
        accp_counter_reset(growing.counter.get());
        for (size_t at = 0; at < text.size(); ++at) {
            growing.append(text.substr(at, 1));
            ASSERT_EQ(growing.total(), whole.count(text.substr(0, at + 1)))
                << testing::PrintToString(text.substr(0, at + 1));
        }
    }
}

// All vectors as one text of megabytes, in parts of odd sizes, with few counts.
TEST_P(TokenGrowing, HoldsOverALongText) {
    std::string all;
    for (const Vector &vector : vectors())
        if (vector.text.size() < 2000) all += vector.text + ' ';
    for (size_t at = 0, step = 1; at < all.size(); at += step, step = step * 3 % 10007 + 1) {
        growing.append(std::string_view(all).substr(at, step));
        if (step % 50 == 0) {
            ASSERT_EQ(growing.total(), whole.count(std::string_view(all).substr(0, at + step)));
        }
    }
    EXPECT_EQ(growing.total(), whole.count(all));
}

INSTANTIATE_TEST_SUITE_P(Tokens, TokenGrowing, testing::Values(0, 1));

}  // namespace
}  // namespace accp_tokens
