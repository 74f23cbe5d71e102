// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Seeds differ, and the hash spreads keys that were chosen to collide.
#include "base/random.h"
#include "base/limits.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace {

using accp::random_seed;
using accp::seeded_hash;

TEST(Random, SeedsDiffer) {
    std::set<uint64_t> seeds;
    for (int i = 0; i < 1000; ++i) seeds.insert(random_seed());
    EXPECT_EQ(seeds.size(), 1000u);
}

// A second implementation of SipHash-1-3 from its paper: one round for each word, three at the end.
uint64_t siphash(const std::string &text, uint64_t k0, uint64_t k1) {
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                     k1 ^ 0x7465646279746573};
    auto rotl = [](uint64_t x, int n) { return x << n | x >> (64 - n); };
    auto round = [&] {
        v[0] += v[1], v[2] += v[3];
        v[1] = rotl(v[1], 13) ^ v[0], v[3] = rotl(v[3], 16) ^ v[2];
        v[0] = rotl(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = rotl(v[1], 17) ^ v[2], v[3] = rotl(v[3], 21) ^ v[0];
        v[2] = rotl(v[2], 32);
    };
    for (size_t at = 0; at <= text.size(); at += 8) {
        uint64_t word = 0;
        const bool last = text.size() - at < 8;
        for (size_t i = 0; i < 8 && at + i < text.size(); ++i)
            word |= uint64_t{static_cast<unsigned char>(text[at + i])} << 8 * i;
        if (last) word |= uint64_t{text.size()} << 56;
        v[3] ^= word;
        round();
        v[0] ^= word;
    }
    v[2] ^= 0xFF;
    for (int i = 0; i < 3; ++i) round();
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

TEST(SeededHash, IsSipHash13) {
    std::string text;
    for (int len = 0; len < 100; ++len) {
        for (uint64_t seed : {uint64_t{0}, uint64_t{1}, UINT64_MAX, uint64_t{0x0123456789ABCDEF}})
            ASSERT_EQ(seeded_hash(text.data(), text.size(), seed), siphash(text, seed, ~seed))
                << len;
        text += static_cast<char>(len * 37);
    }
}

TEST(SeededHash, SpreadsOverBucketsUnderAnySeed) {
    for (uint64_t seed : {uint64_t{0}, uint64_t{42}}) {
        std::vector<int> buckets(1024);
        for (int i = 0; i < 65536; ++i) {
            const std::string key = "aaaaaaaa" + std::to_string(i);
            ++buckets[seeded_hash(key.data(), key.size(), seed) % buckets.size()];
        }
        for (int count : buckets) EXPECT_TRUE(count > 16 && count < 160) << count;
    }
}

// Each number occurs once, for any size. Another key gives another order.
TEST(Permutation, IsOneOfAllNumbers) {
    for (uint64_t size : {1, 2, 3, 4, 5, 10, 99, 100, 101, 1000, 65536}) {
        const accp::Permutation permuted(size, {size, 7}), other(size, {size, 8});
        std::set<uint64_t> seen;
        uint64_t same = 0;
        for (uint64_t n = 0; n < size; ++n) {
            ASSERT_LT(permuted(n), size);
            seen.insert(permuted(n));
            same += permuted(n) == other(n);
        }
        EXPECT_EQ(seen.size(), size);
        EXPECT_LE(same, size / 8 + 10) << size;
    }
}

// For the sizes of mids: numbers that are far apart and below the size, each of them once.
TEST(Permutation, OfManyNumbers) {
    for (uint64_t size : {accp::kIssuerCounters, accp::kMidCounters, uint64_t{1} << 62}) {
        const accp::Permutation permuted(size, {1, 2});
        std::set<uint64_t> seen, steps;
        for (uint64_t n = 0; n < 20'000; ++n) {
            ASSERT_LT(permuted(n), size);
            ASSERT_TRUE(seen.insert(permuted(n)).second);
            steps.insert(permuted(n + 1) - permuted(n));
        }
        EXPECT_GT(steps.size(), 19'990u);
        EXPECT_LT(permuted(size - 1), size);
    }
}

}  // namespace
