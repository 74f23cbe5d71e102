// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts and ids against a simple merge without caches, seams and whole characters. The texts are
// in every script, built from a vocabulary's own tokens and from random characters, in pieces of
// one character to hundreds. Each text is counted twice, so that the caches are used too.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/utf8.h"
#include "token/count.h"
#include "token/unicode.h"
#include "unit.h"

namespace {

using namespace accp;

// Returns the ids by definition: repeatedly merges the pair that makes the lowest token, the
// leftmost of equal ones.
std::vector<uint32_t> merge_slowly(const token::Vocabulary &vocabulary, std::string_view piece) {
    std::vector<uint32_t> parts;
    for (char c : piece) parts.push_back(vocabulary.byte(c));
    for (;;) {
        uint32_t least = token::kNoToken;
        size_t at = 0;
        for (size_t i = 0; i + 1 < parts.size(); ++i) {
            const uint32_t made = vocabulary.merged(parts[i], parts[i + 1]);
            if (made < least) least = made, at = i;
        }
        if (least == token::kNoToken) return parts;
        parts[at] = least;
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

std::vector<uint32_t> encode_slowly(const token::Tokenizer &tokenizer, const std::string &text) {
    std::vector<uint32_t> ids;
    const token::Pattern &pattern = *tokenizer.pattern;
    const char *end = text.data() + text.size();
    for (const char *at = text.data(), *next; at < end; at = next) {
        next = pattern.piece(at, end, pattern.rules);
        const auto part = merge_slowly(tokenizer.vocabulary, {at, static_cast<size_t>(next - at)});
        ids.insert(ids.end(), part.begin(), part.end());
    }
    return ids;
}

struct Counter {
    explicit Counter(const token::Tokenizer &tokenizer) : counter(room.memory), ids(room.memory) {
        counter.open(tokenizer, kTokenCache);
    }
    uint64_t count(const std::string &text) {
        uint64_t tokens = 0;
        EXPECT_TRUE(counter.count(text, UINT64_MAX, tokens).ok());
        return tokens;
    }
    std::vector<uint32_t> encode(const std::string &text) {
        ids.clear();
        counter.encode(text, ids);
        return {ids.begin(), ids.end()};
    }

    accp_unit::Room room;
    token::TokenCounter counter;
    Buffer<uint32_t> ids;
};

class TokenRuns : public testing::TestWithParam<const char *> {
protected:
    TokenRuns() { EXPECT_TRUE(token::open_embedded(GetParam(), tokenizer)); }

    std::string token_text(uint32_t token) {
        Buffer<char> text(room.memory);
        tokenizer.vocabulary.append(token, text);
        return accp_unit::text_of(text);
    }
    void compare(Counter &counter, const std::string &text) {
        const std::vector<uint32_t> expected = encode_slowly(tokenizer, text);
        for (int pass = 0; pass < 2; ++pass) {
            ASSERT_EQ(counter.count(text), expected.size()) << text;
            ASSERT_EQ(counter.encode(text), expected) << text;
        }
    }

    accp_unit::Room room;
    token::Tokenizer tokenizer;
};

std::string character(accp_unit::Random &random) {
    constexpr struct {
        uint32_t first, count;
    } kScripts[] = {{0x4E00, 5000}, {0x4E00, 200}, {0x3040, 180}, {0x430, 32},  {0x410, 64},
                    {0xAC00, 9000}, {0xE00, 90},   {0x900, 110},  {0x3000, 40}, {0xFF00, 200},
                    {0x1F600, 70},  {0x20000, 90}, {'a', 26},     {0x2010, 80}, {0x600, 200}};
    const auto &script = kScripts[random.below(std::size(kScripts))];
    char bytes[4];
    const auto point = script.first + static_cast<uint32_t>(random.below(script.count));
    return {bytes, write_utf8(point, bytes)};
}

// Returns whether there are only whole characters: a token may be a part of one.
bool is_text(const std::string &text) {
    return valid_utf8_prefix(text.data(), text.size()) == text.size();
}

TEST_P(TokenRuns, OfTokensOfOneAnother) {
    accp_unit::Random random(1);
    Counter counter(tokenizer);
    for (int i = 0; i < 8000; ++i) {
        std::string text;
        const size_t parts = 1 + random.below(i % 50 ? 8 : 120);
        while (text.size() < parts * 6) {
            const auto token = static_cast<uint32_t>(random.below(tokenizer.vocabulary.size()));
            const std::string part = token_text(token);
            const bool ascii = static_cast<unsigned char>(part[0]) < 0x80;
            if (is_text(part) && (!ascii || !random.below(12))) text += part;
        }
        ASSERT_NO_FATAL_FAILURE(compare(counter, text));
    }
}

TEST_P(TokenRuns, OfCharactersOfEveryScript) {
    accp_unit::Random random(2);
    Counter counter(tokenizer);
    for (int i = 0; i < 8000; ++i) {
        std::string text, again = character(random);
        const size_t len = 1 + random.below(i % 50 ? 40 : 700);
        while (text.size() < len) text += random.below(4) ? again : character(random);
        if (random.below(2)) text = " " + text;
        ASSERT_NO_FATAL_FAILURE(compare(counter, text));
    }
}

// Words of the lengths at which another cache, or none, is used.
TEST_P(TokenRuns, OfEveryLength) {
    accp_unit::Random random(3);
    Counter counter(tokenizer);
    for (size_t len = 1; len <= 140; ++len) {
        for (int i = 0; i < 6; ++i) {
            std::string russian = " ", chinese = "，", latin = random.text("etaoinsr", len);
            char bytes[4];
            while (russian.size() < len)
                russian.append(bytes,
                               write_utf8(static_cast<uint32_t>(0x430 + random.below(32)), bytes));
            while (chinese.size() < len)
                chinese.append(
                    bytes, write_utf8(static_cast<uint32_t>(0x4E00 + random.below(300)), bytes));
            for (const std::string &text :
                 {russian, chinese, latin, russian + chinese, latin + chinese})
                ASSERT_NO_FATAL_FAILURE(compare(counter, text));
        }
    }
}

// The parts of a token merge to this token and nothing else, as a whole piece or not.
TEST_P(TokenRuns, EveryTokenIsOneToken) {
    Counter counter(tokenizer);
    size_t found = 0;
    for (uint32_t token = token::kByteTokens; token < tokenizer.vocabulary.size(); ++token) {
        const std::string text = token_text(token);
        token::Merger merger(room.memory);
        if (token % 16 == 0) {
            ASSERT_EQ(merger.merge(tokenizer.vocabulary, text.data(), text.size()), 1u);
        }
        if (text.size() > token::PieceCount::kLongest) continue;
        char padded[16] = {};
        text.copy(padded, 15);
        found += tokenizer.vocabulary.is_word(token::PieceCount::key_padded(padded, text.size()));
    }
    EXPECT_GT(found, 40000u) << "most of the table of words is filled";
}

// No text of several tokens is a word.
TEST_P(TokenRuns, TwoTokensAreNoWord) {
    accp_unit::Random random(4);
    for (int i = 0; i < 100000; ++i) {
        const auto size = tokenizer.vocabulary.size();
        const std::string text = token_text(static_cast<uint32_t>(random.below(size))) +
                                 token_text(static_cast<uint32_t>(random.below(size)));
        if (text.size() > token::PieceCount::kLongest) continue;
        char padded[16] = {};
        text.copy(padded, 15);
        if (tokenizer.vocabulary.is_word(token::PieceCount::key_padded(padded, text.size()))) {
            ASSERT_EQ(merge_slowly(tokenizer.vocabulary, text).size(), 1u) << text;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Tokens, TokenRuns, testing::Values("o200k_base", "cl100k_base"));

// The flags of most characters are found without the table's two stages.
TEST(Unicode, FlagsOfEveryCodePoint) {
    for (uint32_t point = 0; point <= 0x10FFFF; ++point) {
        if (point >= 0xD800 && point < 0xE000) continue;
        char bytes[4];
        const char *end = write_utf8(point, bytes);
        const token::Point found = token::point_at(bytes);
        ASSERT_EQ(found.flags, token::point_flags(point)) << std::hex << point;
        ASSERT_EQ(found.size, static_cast<uint32_t>(end - bytes)) << std::hex << point;
    }
}

// Runs are skipped as vectors in some scripts.
TEST(Unicode, SkipsWhatEveryCodePointSays) {
    accp_unit::Random random(4);
    for (int i = 0; i < 40000; ++i) {
        std::string text;
        const size_t len = random.below(60), odds = 1 + random.below(20);
        const uint32_t first = random.below(2) ? 0x400 : random.below(2) ? 0x4E00 : 0x9F00;
        char bytes[4];
        while (text.size() < len) {
            const auto point = first + static_cast<uint32_t>(random.below(0x100));
            const bool small = first == 0x400 && random.below(odds);
            text.append(bytes, write_utf8(small ? 0x430 + point % 0x30 : point, bytes));
            if (!random.below(8 * odds)) text += random.below(2) ? " " : "é";
        }
        const char *end = text.data() + text.size();
        for (uint32_t flags : {uint32_t{token::kLower}, uint32_t{token::kLetter},
                               uint32_t{token::kLower} | token::kOtherLetter | token::kMark,
                               uint32_t{token::kUpper} | token::kMark}) {
            const char *slow = text.data();
            while (slow < end) {
                const char *next = slow;
                if (!(token::point_flags(read_utf8(next)) & flags)) break;
                slow = next;
            }
            const std::unique_ptr<char[]> exact(new char[text.size() + 1]);
            std::memcpy(exact.get(), text.data(), text.size());
            ASSERT_EQ(token::skip_any(exact.get(), exact.get() + text.size(), flags) - exact.get(),
                      slow - text.data())
                << text;
            if (first != 0x400) {
                ASSERT_LE(token::skip_ideographs(text.data(), end) - text.data(),
                          token::skip_any(text.data(), end, token::kOtherLetter) - text.data());
            }
        }
    }
}

}  // namespace
