// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How similar.cc and the vector kernels meet.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::sacp {

// scores[i] = query · row i, of `count` rows that lie one after the other, `dimension` floats each.
// At least kScoreSums partial sums are added up apart, which rounding_error() counts on.
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
