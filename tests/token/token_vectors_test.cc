// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tokenizer against tiktoken: vectors.txt.xz has texts with tiktoken's count and the hash of
// its ids (made by make-vectors).
#include <cstdio>
#include <sstream>

#include "tokens.h"

namespace accp_tokens {

namespace {

std::string unpacked(const char *path) {
    std::string all;
    FILE *pipe = popen(("xz -dc " + std::string(path)).c_str(), "r");
    char block[65536];
    while (size_t got = pipe ? fread(block, 1, sizeof block, pipe) : 0) all.append(block, got);
    EXPECT_TRUE(pipe && pclose(pipe) == 0) << path;
    return all;
}

std::string from_hex(const std::string &hex) {
    std::string text;
    for (size_t i = 0; i + 1 < hex.size(); i += 2)
        text.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return text;
}

}  // namespace

const std::vector<Vector> &vectors() {
    static const std::vector<Vector> all = [] {
        std::vector<Vector> read;
        std::istringstream lines(unpacked(ACCP_SOURCE_DIR "/tests/token/vectors.txt.xz"));
        for (std::string line, hex; std::getline(lines, line); hex.clear()) {
            std::istringstream fields(line);
            Vector vector;
            fields >> vector.counts[0] >> vector.hashes[0] >> vector.counts[1] >>
                vector.hashes[1] >> hex;
            vector.text = from_hex(hex);
            read.push_back(vector);
        }
        return read;
    }();
    return all;
}

std::string hash_of(const std::vector<uint32_t> &ids) {
    uint64_t hash = 0xcbf29ce484222325;
    for (uint32_t id : ids)
        for (int shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (id >> shift & 255)) * 0x100000001b3;
    std::ostringstream out;
    out << std::hex << hash;
    return out.str();
}

namespace {

class TokenVectors : public testing::TestWithParam<int> {
protected:
    Counting counting{GetParam() ? "cl100k_base" : "o200k_base"};
};

TEST_P(TokenVectors, AreAtLeastTwentyThousand) { EXPECT_GE(vectors().size(), 20000u); }

TEST_P(TokenVectors, IdsAreTiktokens) {
    size_t wrong = 0;
    for (const Vector &vector : vectors()) {
        if (hash_of(counting.encode(vector.text)) == vector.hashes[GetParam()]) continue;
        if (++wrong < 5) ADD_FAILURE() << testing::PrintToString(vector.text);
    }
    EXPECT_EQ(wrong, 0u);
}

// Twice: the second time most pieces are cached.
TEST_P(TokenVectors, CountsAreTheirNumber) {
    for (int pass = 0; pass < 2; ++pass)
        for (const Vector &vector : vectors())
            ASSERT_EQ(counting.count(vector.text), vector.counts[GetParam()])
                << testing::PrintToString(vector.text);
}

TEST_P(TokenVectors, BoundedCountsStopWhereTheyShould) {
    for (size_t i = 0; i < vectors().size(); i += 7) {
        const Vector &vector = vectors()[i];
        const uint64_t count = vector.counts[GetParam()];
        ASSERT_EQ(counting.count_within(vector.text, count), count);
        ASSERT_EQ(counting.count_within(vector.text, count + 1), count);
        for (uint64_t max = count / 2; max < count; max += 1 + count / 5)
            ASSERT_EQ(counting.count_within(vector.text, max), max + 1);
    }
}

size_t replacements(std::string_view text) {
    size_t count = 0;
    for (size_t at = text.find("\xEF\xBF\xBD"); at != text.npos;
         at = text.find("\xEF\xBF\xBD", at + 1))
        ++count;
    return count;
}

// Only invalid UTF-8 is decoded to another text, with more U+FFFD.
TEST_P(TokenVectors, DecodeToTheirTexts) {
    for (const Vector &vector : vectors()) {
        const std::string text = counting.decode(counting.encode(vector.text));
        ASSERT_EQ(counting.decode(counting.encode(text)), text);
        ASSERT_TRUE(text == vector.text || replacements(text) > replacements(vector.text));
    }
}

INSTANTIATE_TEST_SUITE_P(Tokens, TokenVectors, testing::Values(0, 1));

}  // namespace
}  // namespace accp_tokens
