// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each kernel stays within the error bound for all dimensions and alignments; cosines at the ends
// of the range of doubles.
#include "sacp/agents/similarity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit.h"

namespace {

using namespace accp;

double even(accp_unit::Random &random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-52 - 1;
}

class Kernels : public testing::Test {
protected:
    void SetUp() override {
        for (const char *name : {"avx512", "avx2", "neon", "portable"})
            if (sacp::use_score_kernel(name)) names.push_back(name);
#if defined(__x86_64__) || defined(__aarch64__)
        ASSERT_GE(names.size(), 2u);
#endif
    }
    void TearDown() override { sacp::use_score_kernel(nullptr); }

    // Rows of their exact size, so that a sanitizer detects reads beyond them.
    void compare(size_t dimension, size_t count, accp_unit::Random &random) {
        std::vector<double> query(dimension), numbers(dimension * count);
        for (double &x : query) x = even(random);
        for (double &x : numbers) x = even(random) * std::pow(10, double(random.below(7)) - 3);
        std::unique_ptr<float[]> asked(new float[dimension]), rows(new float[dimension * count]),
            scores(new float[count]);
        ASSERT_TRUE(sacp::normalize(query.data(), dimension, asked.get()));
        for (size_t i = 0; i < count; ++i)
            ASSERT_TRUE(sacp::normalize(numbers.data() + i * dimension, dimension,
                                        rows.get() + i * dimension));
        for (const char *name : names) {
            sacp::use_score_kernel(name);
            sacp::score_rows(asked.get(), rows.get(), count, dimension, scores.get());
            for (size_t i = 0; i < count; ++i) {
                const double exact =
                    sacp::cosine(query.data(), numbers.data() + i * dimension, dimension);
                ASSERT_LE(std::fabs(scores[i] - exact), sacp::rounding_error(dimension))
                    << name << ", dimension " << dimension << ", row " << i;
            }
        }
    }

    std::vector<const char *> names;
};

TEST_F(Kernels, StayWithinTheError) {
    accp_unit::Random random(1);
    for (size_t dimension = 1; dimension <= 140; ++dimension) compare(dimension, 7, random);
    for (size_t dimension : {255, 256, 384, 768, 1023, 1536, 4096}) compare(dimension, 3, random);
}

// The error grows with the dimension. Scores are exact enough only because they are computed again
// in doubles.
TEST_F(Kernels, TheErrorIsSmall) {
    EXPECT_LT(sacp::rounding_error(128), 3e-6);
    EXPECT_LT(sacp::rounding_error(4096), 4e-5);
}

TEST(Cosine, AtTheEndsOfTheRange) {
    const double big[] = {3e300, 4e300}, small[] = {3e-300, 4e-300}, tiny[] = {4e-320, 4e-320},
                 one[] = {1, 0}, zero[] = {0, 0}, mixed[] = {1, 1e-300};
    EXPECT_DOUBLE_EQ(sacp::cosine(big, one, 2), 0.6);
    EXPECT_DOUBLE_EQ(sacp::cosine(small, one, 2), 0.6);
    EXPECT_DOUBLE_EQ(sacp::cosine(small, big, 2), 1);
    EXPECT_NEAR(sacp::cosine(tiny, one, 2), std::sqrt(0.5), 1e-9);
    EXPECT_EQ(sacp::cosine(zero, one, 2), 0);
    EXPECT_EQ(sacp::cosine(mixed, one, 2), 1);
    float row[2];
    EXPECT_FALSE(sacp::normalize(zero, 2, row));
    EXPECT_FALSE(sacp::normalize(zero, 0, row));
    ASSERT_TRUE(sacp::normalize(big, 2, row));
    EXPECT_FLOAT_EQ(row[0], 0.6f);
    ASSERT_TRUE(sacp::normalize(mixed, 2, row));
    EXPECT_EQ(row[1], 0);  // no denormal, which is slow
}

// The scan keeps the best rows for any order of rows and with ties.
TEST(Scan, KeepsTheBest) {
    accp_unit::Random random(2);
    accp_unit::Room room;
    for (int round = 0; round < 50; ++round) {
        const size_t dimension = 1 + random.below(9), count = 1 + random.below(900),
                     top = 1 + random.below(20), kinds = 1 + random.below(count);
        std::vector<double> numbers(count * dimension), query(dimension);
        for (double &x : query) x = even(random) + 2;
        for (size_t i = 0; i < count; ++i)
            for (size_t k = 0; k < dimension; ++k)
                numbers[i * dimension + k] =
                    i < kinds ? even(random) : numbers[(i % kinds) * dimension + k];
        Buffer<float> rows(room.memory), asked(room.memory);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_TRUE(sacp::normalize(numbers.data() + i * dimension, dimension,
                                        rows.reserve(dimension)));
            rows.advance(dimension);
        }
        sacp::normalize(query.data(), dimension, asked.reserve(dimension));
        std::vector<double> exact;
        for (size_t i = 0; i < count; ++i)
            exact.push_back(sacp::cosine(query.data(), numbers.data() + i * dimension, dimension));
        std::vector<double> sorted = exact;
        std::sort(sorted.rbegin(), sorted.rend());
        const double threshold = even(random), bar = sorted[std::min(top, count) - 1];
        Buffer<sacp::Scored> out(room.memory);
        sacp::scan_rows(
            asked.data(), rows, dimension, threshold, top,
            [](uint32_t row) { return row % 7 != 3; }, out);
        std::set<uint32_t> left;
        for (const sacp::Scored &each : out) EXPECT_TRUE(left.insert(each.row).second);
        for (uint32_t i = 0; i < count; ++i)
            if (i % 7 == 3 || (exact[i] >= threshold && exact[i] >= bar)) {
                EXPECT_EQ(left.count(i), i % 7 != 3) << i;
            }
    }
}

}  // namespace
