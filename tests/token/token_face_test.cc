// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The C API of tokenizers and counters: errors, unchanged outputs, special tokens, the host's
// tokenizer, the estimate.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tokens.h"

namespace accp_tokens {
namespace {

int64_t count_bytes(const char *, size_t len, void *user) {
    ++*static_cast<int *>(user);
    return len == 13 ? -1 : static_cast<int64_t>(len);
}

TEST(TokenFace, NamesWhatIsBuiltIn) {
    std::vector<std::string> names;
    for (uint32_t i = 0; accp_tokenizer_builtin_name(i); ++i)
        names.emplace_back(accp_tokenizer_builtin_name(i));
    EXPECT_EQ(names, (std::vector<std::string>{"o200k_base", "cl100k_base", "approx"}));
    EXPECT_EQ(accp_tokenizer_builtin_name(UINT32_MAX), nullptr);
    for (const std::string &name : names) {
        const Handle<accp_tokenizer> tokenizer = open_tokenizer(name);
        EXPECT_EQ(string_of(accp_tokenizer_name(tokenizer.get())), name);
        EXPECT_EQ(accp_tokenizer_is_approximate(tokenizer.get()), name == "approx");
    }
    EXPECT_EQ(accp_tokenizer_name(nullptr).len, 0u);
    EXPECT_EQ(accp_tokenizer_token_count(open_tokenizer("o200k_base").get()), 199998u);
    EXPECT_EQ(accp_tokenizer_token_count(open_tokenizer("cl100k_base").get()), 100256u);
    EXPECT_EQ(accp_tokenizer_token_count(open_tokenizer("approx").get()), 0u);
}

TEST(TokenFace, RefusesWhatIsNoCall) {
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_tokenizer_new("o200k", 5, nullptr, &tokenizer, &error), ACCP_ERR_ARG);
    EXPECT_TRUE(error.message && *error.message);
    EXPECT_EQ(accp_tokenizer_new("o200k_base", 10, nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_tokenizer_new(nullptr, 10, nullptr, &tokenizer, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(
        accp_tokenizer_new_callback("x", 1, 0, nullptr, nullptr, nullptr, &tokenizer, nullptr),
        ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_new(nullptr, nullptr, &made, nullptr), ACCP_ERR_ARG);
    EXPECT_TRUE(!tokenizer && !made);

    Counting counting("o200k_base");
    uint64_t tokens = 77;
    const uint32_t *ids = nullptr;
    accp_text out = {nullptr, 77};
    const uint32_t bad[] = {0, 199998, 1};
    accp_counter *counter = counting.counter.get();
    EXPECT_EQ(accp_counter_count(nullptr, "a", 1, UINT64_MAX, &tokens, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_count(counter, nullptr, 1, UINT64_MAX, &tokens, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_count(counter, "a", 1, UINT64_MAX, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_encode(counter, "a", 1, &ids, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_decode(counter, bad, 3, &out, &error), ACCP_ERR_ARG);
    EXPECT_EQ(error.offset, 1u);
    EXPECT_EQ(accp_counter_append(counter, nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_total(counter, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_config_set_rule(nullptr, ACCP_RULE_SPECIAL_TOKENS, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_TRUE(tokens == 77 && !ids && !out.text && out.len == 77);
    accp_counter_reset(nullptr);
    accp_counter_free(nullptr);
    accp_tokenizer_free(nullptr);
}

TEST(TokenFace, NothingHasNoTokens) {
    for (const char *name : {"o200k_base", "cl100k_base", "approx"}) {
        Counting counting(name);
        EXPECT_EQ(counting.count({}), 0u);
        EXPECT_EQ(counting.count_within({}, 0), 0u);
        EXPECT_EQ(counting.total(), 0u);
    }
    Counting counting("o200k_base");
    EXPECT_TRUE(counting.encode({}).empty());
    EXPECT_EQ(counting.decode({}), "");
}

TEST(TokenFace, SpecialTokensAreTextUnlessAsked) {
    Config config;
    Counting plain("o200k_base"), off("o200k_base", config.rule(ACCP_RULE_SPECIAL_TOKENS, 0)),
        counting("o200k_base", config.rule(ACCP_RULE_SPECIAL_TOKENS, 1));
    const std::string text = "a<|endoftext|>b<|endofprompt|><|endof";
    EXPECT_EQ(plain.count("<|endoftext|>"), 7u);
    EXPECT_EQ(off.encode(text), plain.encode(text));
    EXPECT_EQ(plain.decode(plain.encode(text)), text);
    const std::vector<uint32_t> ids = counting.encode(text);
    EXPECT_EQ(counting.count("<|endoftext|>"), 1u);
    EXPECT_EQ(counting.count(text), ids.size());
    ASSERT_GT(ids.size(), 4u);
    EXPECT_TRUE(ids[1] == 199999 && ids[3] == 200018);
    EXPECT_EQ(counting.decode(ids), text);
    EXPECT_EQ(counting.count_within(text, 2), 3u);
}

TEST(TokenFace, AHostsOwnTokenizerIsAsked) {
    int asked = 0;
    accp_tokenizer *made = nullptr;
    ASSERT_EQ(
        accp_tokenizer_new_callback("bytes", 5, 1, count_bytes, &asked, nullptr, &made, nullptr),
        ACCP_OK);
    const Handle<accp_tokenizer> tokenizer(made);
    const Handle<accp_counter> counter = open_counter(made);
    uint64_t tokens = 0;
    const uint32_t *ids = nullptr;
    size_t count = 0;
    EXPECT_EQ(string_of(accp_tokenizer_name(made)), "bytes");
    EXPECT_EQ(accp_tokenizer_is_approximate(made), 1);
    EXPECT_EQ(accp_counter_count(counter.get(), "four", 4, UINT64_MAX, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 4u);
    EXPECT_EQ(accp_counter_count(counter.get(), "four", 4, 2, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 3u);
    EXPECT_EQ(accp_counter_count(counter.get(), "thirteen_byte", 13, UINT64_MAX, &tokens, nullptr),
              ACCP_ERR_IO);
    EXPECT_EQ(accp_counter_encode(counter.get(), "a", 1, &ids, &count, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_append(counter.get(), "ab", 2, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_append(counter.get(), "c", 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_total(counter.get(), &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 3u);
    EXPECT_EQ(asked, 4);
}

// Estimates are used to keep limits: over the corpus they are not below the exact count, and not
// far above.
TEST(TokenFace, TheEstimateIsNearAndNotBelow) {
    Counting exact("o200k_base"), approx("approx");
    std::ifstream file(ACCP_SOURCE_DIR "/data/corpus/frames.txt");
    uint64_t counted = 0, estimated = 0;
    for (std::string line; std::getline(file, line);) {
        counted += exact.count(line);
        estimated += approx.count(line);
    }
    EXPECT_GE(estimated, counted);
    EXPECT_LE(estimated, counted * 5 / 4);
}

// The size of the cache does not change counts and ids, also for repeated texts.
TEST(TokenFace, TheCacheChangesNoCountAndNoId) {
    Config config;
    for (int64_t entries : {3, (1 << 20) + 1})
        EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_TOKEN_CACHE, entries, nullptr),
                  ACCP_ERR_ARG);
    for (int64_t entries : {4, 1000, 1 << 20}) {
        Counting counting("o200k_base", config.rule(ACCP_RULE_TOKEN_CACHE, entries));
        for (size_t i = 0; i < 2 * vectors().size(); i += 9) {
            const Vector &vector = vectors()[i % vectors().size()];
            ASSERT_EQ(counting.count(vector.text), vector.counts[0]);
            ASSERT_EQ(hash_of(counting.encode(vector.text)), vector.hashes[0]);
        }
    }
}

// The memory that a handle has allocated.
struct Held {
    size_t bytes = 0;

    static void *allocate(size_t size, void *user) {
        static_cast<Held *>(user)->bytes += size;
        return std::malloc(size);
    }
    static void release(void *memory, size_t size, void *user) {
        static_cast<Held *>(user)->bytes -= size;
        std::free(memory);
    }
};

// Pieces of each length around those of the caches, with few and many tokens, before and after they
// are cached.
TEST(TokenFace, KnownPiecesHaveTheSameIds) {
    std::vector<std::string> pieces;
    for (size_t len : {1, 4, 14, 15, 16, 17, 31, 63, 64, 65, 100}) {
        std::string mixed;
        while (mixed.size() < len) mixed += static_cast<char>('a' + mixed.size() * 7 % 26);
        for (const std::string &text : {std::string(len, ' '), std::string(len, '-'), mixed})
            for (const char *around : {"", "\n", "x "}) pieces.push_back(text + around);
    }
    Counting known("o200k_base");
    for (int time = 0; time < 3; ++time)
        for (const std::string &text : pieces) {
            const std::vector<uint32_t> ids = known.encode(text);
            ASSERT_EQ(ids, Counting("o200k_base").encode(text)) << text;
            ASSERT_EQ(known.count(text), ids.size()) << text;
            ASSERT_EQ(known.decode(ids), text);
        }
}

// A counter that has seen few pieces uses little memory; one that has seen many uses the whole
// cache and no more.
TEST(TokenFace, ACounterHoldsWhatItHasUseFor) {
    Held held;
    const accp_allocator from = {Held::allocate, Held::release, &held};
    Counting counting("o200k_base", Config().allocator(from));
    counting.count("one short text");
    EXPECT_LT(held.bytes, 16u << 10);
    for (const Vector &vector : vectors()) counting.count(vector.text);
    EXPECT_GT(held.bytes, 256u << 10);
    for (const Vector &vector : vectors()) ASSERT_EQ(counting.count(vector.text), vector.counts[0]);
    EXPECT_LT(held.bytes, 4u << 20);
    const size_t without_ids = held.bytes;
    for (const Vector &vector : vectors()) counting.encode(vector.text);
    EXPECT_GT(held.bytes, without_ids + (256u << 10));
    EXPECT_LT(held.bytes, without_ids + (4u << 20));
}

}  // namespace
}  // namespace accp_tokens
