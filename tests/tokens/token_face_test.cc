// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The C face of tokenizers and counters: what each call refuses, what it leaves alone, special
// tokens, the host's own tokenizer, the estimate.
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
    for (uint32_t i = 0; accp_tokenizer_builtin(i); ++i)
        names.emplace_back(accp_tokenizer_builtin(i));
    EXPECT_EQ(names, (std::vector<std::string>{"o200k_base", "cl100k_base", "approx"}));
    EXPECT_EQ(accp_tokenizer_builtin(UINT32_MAX), nullptr);
    for (const std::string &name : names) {
        const Handle<accp_tokenizer> tokenizer = open_tokenizer(name);
        EXPECT_EQ(accp_tokenizer_name(tokenizer.get()), name);
        EXPECT_EQ(accp_tokenizer_approx(tokenizer.get()), name == "approx");
    }
    EXPECT_EQ(accp_tokenizer_size(open_tokenizer("o200k_base").get()), 199998u);
    EXPECT_EQ(accp_tokenizer_size(open_tokenizer("cl100k_base").get()), 100256u);
    EXPECT_EQ(accp_tokenizer_size(open_tokenizer("approx").get()), 0u);
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
    const char *out = nullptr;
    size_t len = 77;
    const uint32_t bad[] = {0, 199998, 1};
    accp_counter *counter = counting.counter.get();
    EXPECT_EQ(accp_counter_count(nullptr, "a", 1, &tokens, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_count(counter, nullptr, 1, &tokens, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_count(counter, "a", 1, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_encode(counter, "a", 1, &ids, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_decode(counter, bad, 3, &out, &len, &error), ACCP_ERR_ARG);
    EXPECT_EQ(error.offset, 1u);
    EXPECT_EQ(accp_counter_append(counter, nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_total(counter, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_set_special(nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_TRUE(tokens == 77 && !ids && !out && len == 77);
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
    Counting counting("o200k_base");
    const std::string text = "a<|endoftext|>b<|endofprompt|><|endof";
    const std::vector<uint32_t> plain = counting.encode(text);
    EXPECT_EQ(counting.count("<|endoftext|>"), 7u);
    accp_counter_set_special(counting.counter.get(), 1, nullptr);
    const std::vector<uint32_t> ids = counting.encode(text);
    EXPECT_EQ(counting.count("<|endoftext|>"), 1u);
    EXPECT_EQ(counting.count(text), ids.size());
    ASSERT_GT(ids.size(), 4u);
    EXPECT_TRUE(ids[1] == 199999 && ids[3] == 200018);
    EXPECT_EQ(counting.decode(ids), text);
    EXPECT_EQ(counting.count_within(text, 2), 3u);
    accp_counter_set_special(counting.counter.get(), 0, nullptr);
    EXPECT_EQ(counting.encode(text), plain);
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
    EXPECT_STREQ(accp_tokenizer_name(made), "bytes");
    EXPECT_EQ(accp_tokenizer_approx(made), 1);
    EXPECT_EQ(accp_counter_count(counter.get(), "four", 4, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 4u);
    EXPECT_EQ(accp_counter_count_within(counter.get(), "four", 4, 2, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 3u);
    EXPECT_EQ(accp_counter_count(counter.get(), "thirteen_byte", 13, &tokens, nullptr),
              ACCP_ERR_IO);
    EXPECT_EQ(accp_counter_encode(counter.get(), "a", 1, &ids, &count, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_counter_append(counter.get(), "ab", 2, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_append(counter.get(), "c", 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_total(counter.get(), &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 3u);
    EXPECT_EQ(asked, 4);
}

// The estimate keeps limits: over the corpus it is not below the exact count, and not far above.
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

// Two tokens of one byte, then the cache at its least: counts do not depend on it.
TEST(TokenFace, TheCacheChangesNoCount) {
    accp_options *made = nullptr;
    ASSERT_EQ(accp_options_new(&made, nullptr), ACCP_OK);
    const Handle<accp_options> options(made);
    EXPECT_EQ(accp_options_set_token_cache(made, 3, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_options_set_token_cache(made, (1 << 20) + 1, nullptr), ACCP_ERR_ARG);
    const Handle<accp_tokenizer> tokenizer = open_tokenizer("o200k_base");
    for (uint32_t entries : {4u, 1000u, 1u << 20}) {
        ASSERT_EQ(accp_options_set_token_cache(made, entries, nullptr), ACCP_OK);
        const Handle<accp_counter> counter = open_counter(tokenizer.get(), made);
        for (size_t i = 0; i < vectors().size(); i += 9) {
            uint64_t tokens = 0;
            ASSERT_EQ(accp_counter_count(counter.get(), vectors()[i].text.data(),
                                         vectors()[i].text.size(), &tokens, nullptr),
                      ACCP_OK);
            ASSERT_EQ(tokens, vectors()[i].counts[0]);
        }
    }
}

// What a handle has of its allocator.
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

// A counter that has met few pieces holds few bytes, and one that has met many holds the whole
// cache and no more.
TEST(TokenFace, ACounterHoldsWhatItHasUseFor) {
    Held held;
    const accp_allocator from = {Held::allocate, Held::release, &held};
    accp_options *made = nullptr;
    ASSERT_EQ(accp_options_new(&made, nullptr), ACCP_OK);
    const Handle<accp_options> options(made);
    ASSERT_EQ(accp_options_set_allocator(made, &from, nullptr), ACCP_OK);
    const Handle<accp_tokenizer> tokenizer = open_tokenizer("o200k_base");
    const Handle<accp_counter> counter = open_counter(tokenizer.get(), made);
    uint64_t tokens = 0;
    ASSERT_EQ(accp_counter_count(counter.get(), "one short text", 14, &tokens, nullptr), ACCP_OK);
    EXPECT_LT(held.bytes, 16u << 10);
    for (const Vector &vector : vectors())
        ASSERT_EQ(accp_counter_count(counter.get(), vector.text.data(), vector.text.size(), &tokens,
                                     nullptr),
                  ACCP_OK);
    EXPECT_GT(held.bytes, 256u << 10);
    for (const Vector &vector : vectors()) {
        ASSERT_EQ(accp_counter_count(counter.get(), vector.text.data(), vector.text.size(), &tokens,
                                     nullptr),
                  ACCP_OK);
        ASSERT_EQ(tokens, vector.counts[0]);
    }
    EXPECT_LT(held.bytes, 4u << 20);
}

}  // namespace
}  // namespace accp_tokens
