// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The portable loop, and the selection of a kernel at run time. similarity_avx2.cc and others have
// the vector kernels.
#include "sacp/agents/similarity.h"

#include <atomic>
#include <cmath>
#include <string_view>

#include "sacp/agents/similarity_kernel.h"

namespace accp::sacp {

namespace {

void score_portable(const float *query, const float *rows, size_t count, size_t dimension,
                    float *scores) {
    for (size_t i = 0; i < count; ++i, rows += dimension) {
        float sums[kScoreSums] = {};
        size_t at = 0;
        for (; at + kScoreSums <= dimension; at += kScoreSums)
            for (size_t k = 0; k < kScoreSums; ++k) sums[k] += query[at + k] * rows[at + k];
        for (size_t k = 0; at < dimension; ++at, ++k) sums[k] += query[at] * rows[at];
        for (size_t half = kScoreSums / 2; half; half /= 2)
            for (size_t k = 0; k < half; ++k) sums[k] += sums[k + half];
        scores[i] = sums[0];
    }
}

constexpr ScoreKernel kPortable = {"portable", score_portable};

// Returns the best kernel for this machine, or the one with this name; nullptr if there is none.
const ScoreKernel *kernel(const char *name) {
    auto wanted = [name](const ScoreKernel &which) {
        return !name || std::string_view(name) == which.name;
    };
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2 && __builtin_cpu_supports("avx512f") && wanted(kScoreAvx512)) return &kScoreAvx512;
    if (avx2 && wanted(kScoreAvx2)) return &kScoreAvx2;
#elif defined(__aarch64__)
    if (wanted(kScoreNeon)) return &kScoreNeon;
#endif
    return wanted(kPortable) ? &kPortable : nullptr;
}

// Constant after the first call, except in tests. Concurrent first calls store the same pointer.
std::atomic<ScoreRows *> active_kernel{nullptr};

[[gnu::noinline]] ScoreRows *choose_kernel() {
    ScoreRows *score = kernel(nullptr)->score;
    active_kernel.store(score, std::memory_order_relaxed);
    return score;
}

// A power of two that scales the largest number close to 1, so that squares neither overflow nor
// underflow. Returns 0 for a zero vector.
double scale_of(const double *values, size_t dimension) {
    double largest = 0;
    for (size_t i = 0; i < dimension; ++i) largest = std::max(largest, std::fabs(values[i]));
    return largest == 0 ? 0 : std::ldexp(1.0, -std::max(std::ilogb(largest), -1000));
}

}  // namespace

// Values below 2^-60 become zero, so that no product is subnormal, which is slow.
bool normalize(const double *values, size_t dimension, float *out) {
    const double scale = scale_of(values, dimension);
    double squares = 0;
    for (size_t i = 0; i < dimension; ++i) {
        const double value = values[i] * scale;
        squares += value * value;
    }
    if (squares == 0) return false;
    const double factor = 1 / std::sqrt(squares);
    for (size_t i = 0; i < dimension; ++i) {
        const double value = values[i] * scale * factor;
        out[i] = std::fabs(value) < 0x1p-60 ? 0.0f : static_cast<float>(value);
    }
    return true;
}

double cosine(const double *a, const double *b, size_t dimension) {
    const double scale_a = scale_of(a, dimension), scale_b = scale_of(b, dimension);
    double product = 0, square_a = 0, square_b = 0;
    for (size_t i = 0; i < dimension; ++i) {
        const double x = a[i] * scale_a, y = b[i] * scale_b;
        product += x * y;
        square_a += x * x;
        square_b += y * y;
    }
    if (square_a == 0 || square_b == 0) return 0;
    return std::clamp(product / std::sqrt(square_a * square_b), -1.0, 1.0);
}

// The bound, in units of 2^-24, for a sum of products whose absolute values add up to at most 1: 2
// for the floats, 1 for each product, 1 for each addition of a partial sum and for those at its
// end. Numbers that were rounded to zero contribute far less.
double rounding_error(size_t dimension) {
    return static_cast<double>(dimension / kScoreSums + 24) * 0x1p-24;
}

float keep_best(Buffer<Scored> &scored, size_t top, double error) {
    std::nth_element(scored.begin(), scored.begin() + (top - 1), scored.end(),
                     [](const Scored &a, const Scored &b) { return a.score > b.score; });
    const float bar = static_cast<float>(scored[top - 1].score - 2 * error) - kBarRounding;
    scored.set_end(std::remove_if(scored.begin(), scored.end(),
                                  [bar](const Scored &each) { return each.score < bar; }));
    return bar;
}

void score_rows(const float *query, const float *rows, size_t count, size_t dimension,
                float *scores) {
    ScoreRows *score = active_kernel.load(std::memory_order_relaxed);
    if (!score) score = choose_kernel();
    score(query, rows, count, dimension, scores);
}

bool use_score_kernel(const char *name) {
    const ScoreKernel *chosen = kernel(name);
    if (chosen) active_kernel.store(chosen->score, std::memory_order_relaxed);
    return chosen != nullptr;
}

}  // namespace accp::sacp
