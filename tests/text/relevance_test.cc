// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// text/tf_idf.h, text/rank_fusion.h and text/vectors.h, each beside a slow model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "text/rank_fusion.h"
#include "text/tf_idf.h"
#include "text/vectors.h"
#include "unit.h"

namespace {

using namespace accp;
using Words = std::set<std::string>;

double slow_cosine(const std::map<std::string, double> &a, const std::map<std::string, double> &b) {
    double common = 0, norm = 0, other = 0;
    for (const auto &[word, weight] : a) {
        norm += weight * weight;
        if (const auto found = b.find(word); found != b.end()) common += weight * found->second;
    }
    for (const auto &[word, weight] : b) other += weight * weight;
    return common > 0 ? common / std::sqrt(norm * other) : 0;
}

std::string joined(const Words &words) {
    std::string text;
    for (const std::string &word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

// Texts of random words: the scores are those of sparse vectors, with lent words at 0.3 of the
// weight from the best eighth.
TEST(TfIdf, IsTheCosineOfWeightedWords) {
    accp_unit::Room room;
    text::TfIdf fast(room.memory);
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
        const auto make = [&](size_t most) {
            Words words;
            for (size_t n = random() % most; n; --n)
                words.insert("word" + std::string(1, static_cast<char>('a' + random() % 20)));
            return words;
        };
        const Words query = make(6);
        std::vector<Words> texts;
        for (size_t n = random() % 40; n; --n) texts.push_back(make(8));
        const auto weigh = [&](const std::string &word) {
            const auto count = std::count_if(texts.begin(), texts.end(),
                                             [&](const Words &t) { return t.count(word); });
            return std::log(1 +
                            static_cast<double>(texts.size() + 1) / static_cast<double>(count + 1));
        };
        const auto vector_of = [&](const Words &words, double share) {
            std::map<std::string, double> vector;
            for (const std::string &word : words) vector[word] = share * weigh(word);
            return vector;
        };
        const auto score_all = [&](const std::map<std::string, double> &asked) {
            std::vector<double> scores;
            for (const Words &text : texts)
                scores.push_back(slow_cosine(asked, vector_of(text, 1)));
            return scores;
        };
        std::map<std::string, double> asked = vector_of(query, 1);
        const std::vector<double> first = score_all(asked);
        std::vector<size_t> order;
        for (size_t i = 0; i < texts.size(); ++i)
            if (first[i] > 0) order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return first[a] > first[b] + 1e-12; });
        order.resize(order.size() / 8);
        Words lent;
        for (size_t i : order) lent.insert(texts[i].begin(), texts[i].end());
        for (const auto &[word, weight] : vector_of(lent, 0.3)) asked.emplace(word, weight);
        const std::vector<double> second = score_all(asked);

        fast.start(joined(query));
        for (const Words &text : texts) fast.add(joined(text));
        std::span<const double> scores = fast.score();
        ASSERT_EQ(scores.size(), texts.size());
        for (size_t i = 0; i < texts.size(); ++i) ASSERT_NEAR(scores[i], first[i], 1e-9);
        scores = fast.lend_words();
        for (size_t i = 0; i < texts.size(); ++i) ASSERT_NEAR(scores[i], second[i], 1e-9);
        ASSERT_EQ(fast.scores().data(), scores.data());
    }
}

TEST(TfIdf, RareWordsWeighMore) {
    accp_unit::Room room;
    text::TfIdf words(room.memory);
    words.start("rare frequent");
    for (const char *text : {"rare apple", "frequent apple", "frequent pear", "frequent plum", ""})
        words.add(text);
    const std::span<const double> scores = words.score();
    EXPECT_GT(scores[0], scores[1]);
    EXPECT_GT(scores[1], 0);
    EXPECT_EQ(scores[4], 0);
}

// The place of a text is the mean share of texts that are worse by each score.
TEST(RankFusion, IsTheMeanPlace) {
    accp_unit::Room room;
    text::RankFusion fusion(room.memory);
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
        const size_t count = random() % 20;
        std::vector<double> places(count);
        const size_t scores = 1 + random() % 3;
        fusion.start(count);
        for (size_t k = 0; k < scores; ++k) {
            std::vector<double> score(count);
            for (double &each : score) each = static_cast<double>(random() % 7);
            for (size_t i = 0; i < count; ++i)
                places[i] += static_cast<double>(
                                 std::count_if(score.begin(), score.end(),
                                               [&](double other) { return other < score[i]; })) /
                             static_cast<double>(std::max<size_t>(count, 2) - 1) /
                             static_cast<double>(scores);
            fusion.add(score);
        }
        for (size_t i = 0; i < count; ++i) ASSERT_NEAR(fusion.place(i), places[i], 1e-9);
        const std::span<const uint32_t> order = fusion.order();
        ASSERT_EQ(order.size(), count);
        for (size_t i = 1; i < count; ++i) ASSERT_GE(places[order[i - 1]], places[order[i]] - 1e-9);
    }
}

// Texts of one character, whose vector is its code; the calls are counted.
struct Codes final : text::Embedder {
    Status embed(std::span<const std::string_view> texts, text::RawVectors &out) override {
        ++calls;
        largest = std::max(largest, texts.size());
        numbers.clear();
        for (const std::string_view text : texts) {
            numbers.push_back(static_cast<float>(text[0] % 8));
            numbers.push_back(static_cast<float>(text[0] / 8));
        }
        out = {numbers, texts.size(), 2, "codes"};
        return {};
    }
    std::vector<float> numbers;
    size_t calls = 0, largest = 0;
};

TEST(Vectors, AreMadeInBatches) {
    accp_unit::Room room;
    for (const size_t count : {0, 1, 63, 64, 65, 128, 200}) {
        std::vector<std::string> texts;
        for (size_t i = 0; i < count; ++i) texts.emplace_back(1, static_cast<char>(i % 100 + 20));
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        Codes codes;
        text::Vectors vectors(room.memory);
        ASSERT_TRUE(vectors.make(codes, views).ok());
        EXPECT_EQ(vectors.size(), count);
        EXPECT_EQ(codes.calls, (count + 63) / 64);
        EXPECT_LE(codes.largest, text::Vectors::kMaxBatch);
        EXPECT_EQ(vectors.model(), count ? "codes" : "");
        for (size_t i = 0; i < count; ++i) {
            EXPECT_EQ(vectors[i][0], texts[i][0] % 8);
            EXPECT_EQ(vectors[i][1], texts[i][0] / 8);
        }
    }
}

TEST(Vectors, CompareByDirection) {
    struct Fixed final : text::Embedder {
        Status embed(std::span<const std::string_view>, text::RawVectors &out) override {
            out = {numbers, 4, 2, "m"};
            return {};
        }
        std::vector<float> numbers = {1, 0, 3, 4, 0, 0, -2, 0};
    } fixed;
    accp_unit::Room room;
    text::Vectors vectors(room.memory);
    const std::string_view texts[] = {"a", "b", "c", "d"};
    ASSERT_TRUE(vectors.make(fixed, texts).ok());
    EXPECT_NEAR(vectors.cosine(0, 1), 0.6, 1e-9);
    EXPECT_NEAR(vectors.cosine(0, 3), -1, 1e-9);
    EXPECT_EQ(vectors.cosine(0, 2), 0);  // a zero vector has no direction
}

}  // namespace
