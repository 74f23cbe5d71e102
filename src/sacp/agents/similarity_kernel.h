// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The interface between similarity.cc and the vector kernels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::sacp {

// scores[i] = query · row i, for `count` contiguous rows of `dimension` floats. A kernel keeps at
// least kScoreSums partial sums, which rounding_error() relies on.
using ScoreRows = void(const float *query, const float *rows, size_t count, size_t dimension,
                       float *scores);

constexpr size_t kScoreSums = 8;

struct ScoreKernel {
    const char *name;
    ScoreRows *score;
};

#if defined(__x86_64__)
extern const ScoreKernel kScoreAvx512;
extern const ScoreKernel kScoreAvx2;
#elif defined(__aarch64__)
extern const ScoreKernel kScoreNeon;
#endif

}  // namespace accp::sacp
