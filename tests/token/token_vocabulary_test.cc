// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The built-in vocabularies are the published ones: written as .tiktoken text, they have the
// SHA-256 that OpenAI publishes.
#include "reference/sha256.h"
#include "tokens.h"

namespace accp_tokens {
namespace {

std::string published(std::string_view name) {
    Counting counting(name);
    std::string text;
    for (uint32_t id = 0; id < accp_tokenizer_token_count(counting.tokenizer.get()); ++id)
        text += base64(counting.decode({id})) + ' ' + std::to_string(id) + '\n';
    return accp_ref::sha256_hex(text);
}

TEST(TokenVocabulary, O200kBaseIsThePublishedOne) {
    EXPECT_EQ(published("o200k_base"),
              "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d");
}
TEST(TokenVocabulary, Cl100kBaseIsThePublishedOne) {
    EXPECT_EQ(published("cl100k_base"),
              "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7");
}

// Assumptions of the counter: numbers of up to three digits and single bytes are tokens.
TEST(TokenVocabulary, ShortNumbersAreTokens) {
    for (const char *name : {"o200k_base", "cl100k_base"}) {
        Counting counting(name);
        for (int number = 0; number < 1000; ++number) {
            const std::string digits = std::to_string(1000 + number).substr(1);
            for (size_t from = 0; from < 3; ++from)
                ASSERT_EQ(counting.encode(digits.substr(from)).size(), 1u);
        }
    }
}

// The text of a token encodes to this token: every token can be reached by merging.
TEST(TokenVocabulary, EveryTokenEncodesToItself) {
    for (const char *name : {"o200k_base", "cl100k_base"}) {
        Counting counting(name);
        size_t whole = 0;
        for (uint32_t id = 0; id < accp_tokenizer_token_count(counting.tokenizer.get()); ++id)
            whole += counting.encode(counting.decode({id})) == std::vector<uint32_t>{id};
        EXPECT_GT(whole, accp_tokenizer_token_count(counting.tokenizer.get()) * 9 / 10)
            << "the rest are parts of characters, or cut by the pattern";
    }
}

}  // namespace
}  // namespace accp_tokens
