// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tokenizers and counters for tests, through the C API.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config.h"

namespace accp_tokens {

using accp_test::Config;
using accp_test::string_of;

struct Free {
    void operator()(accp_tokenizer *handle) const { accp_tokenizer_free(handle); }
    void operator()(accp_counter *handle) const { accp_counter_free(handle); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

inline Handle<accp_tokenizer> open_tokenizer(std::string_view name) {
    accp_tokenizer *made = nullptr;
    EXPECT_EQ(accp_tokenizer_new(name.data(), name.size(), nullptr, &made, nullptr), ACCP_OK)
        << name;
    return Handle<accp_tokenizer>(made);
}
inline Handle<accp_counter> open_counter(const accp_tokenizer *tokenizer,
                                         const Config &config = Config()) {
    accp_counter *made = nullptr;
    EXPECT_EQ(accp_counter_new(tokenizer, config.get(), &made, nullptr), ACCP_OK);
    return Handle<accp_counter>(made);
}

// A tokenizer with its own counter.
struct Counting {
    explicit Counting(std::string_view name, const Config &config = Config())
        : Counting(open_tokenizer(name), config) {}
    explicit Counting(Handle<accp_tokenizer> with, const Config &config = Config())
        : tokenizer(std::move(with)), counter(open_counter(tokenizer.get(), config)) {}

    uint64_t count(std::string_view text) {
        return answer(accp_counter_count(counter.get(), text.data(), text.size(), UINT64_MAX,
                                         &tokens, &error));
    }
    uint64_t count_within(std::string_view text, uint64_t max) {
        return answer(
            accp_counter_count(counter.get(), text.data(), text.size(), max, &tokens, &error));
    }
    void append(std::string_view text) {
        EXPECT_EQ(accp_counter_append(counter.get(), text.data(), text.size(), &error), ACCP_OK);
    }
    uint64_t total() { return answer(accp_counter_total(counter.get(), &tokens, &error)); }
    std::vector<uint32_t> encode(std::string_view text) {
        const uint32_t *ids = nullptr;
        size_t count = 0;
        EXPECT_EQ(
            accp_counter_encode(counter.get(), text.data(), text.size(), &ids, &count, &error),
            ACCP_OK);
        return {ids, ids + count};
    }
    std::string decode(const std::vector<uint32_t> &ids) {
        accp_text out = {};
        EXPECT_EQ(accp_counter_decode(counter.get(), ids.data(), ids.size(), &out, &error),
                  ACCP_OK);
        return {out.text, out.len};
    }

    Handle<accp_tokenizer> tokenizer;
    Handle<accp_counter> counter;
    accp_error error = {};
    uint64_t tokens = 0;

private:
    uint64_t answer(accp_status status) const {
        EXPECT_EQ(status, ACCP_OK);
        return tokens;
    }
};

// One line of vectors.txt.xz: the tokens of a text with o200k_base and cl100k_base.
struct Vector {
    uint64_t counts[2];
    std::string hashes[2];
    std::string text;
};
const std::vector<Vector> &vectors();

// As a .tiktoken file writes a token.
inline std::string base64(std::string_view bytes) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t three = 0;
        for (size_t j = 0; j < 3; ++j)
            three =
                three << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
        for (size_t j = 0; j < 4; ++j)
            out += i + j > bytes.size() ? '=' : kDigits[three >> (18 - 6 * j) & 63];
    }
    return out;
}

// FNV-1a over ids, as make-vectors hashes them.
std::string hash_of(const std::vector<uint32_t> &ids);

}  // namespace accp_tokens
