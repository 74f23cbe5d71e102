// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX-512: sixteen floats at a time, with a mask for the end of a row. Short rows
// use eight, because most of their time goes into summing the lanes. Called only if the processor
// has AVX-512, AVX2 and FMA.
#if defined(__x86_64__)
// gcc 12 warns about undefined operands in its own intrinsics.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "base/target.h"
#include "sacp/agents/similarity_kernel.h"

ACCP_TARGET_BEGIN("avx512f")
#include "sacp/agents/similarity_rows.h"

namespace accp::sacp {
namespace {

struct Avx512 {
    static constexpr size_t kLanes = 16;
    static __m512 zero() { return _mm512_setzero_ps(); }
    static __m512 load(const float *from) { return _mm512_loadu_ps(from); }
    static __m512 load_part(const float *from, size_t count) {
        return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
    }
    static __m512 add(__m512 sum, __m512 a, __m512 b) { return _mm512_fmadd_ps(a, b, sum); }
    static __m512 join(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
    static __m256 halve(__m512 sum) {
        return _mm256_add_ps(_mm512_castps512_ps256(sum),
                             _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(sum), 1)));
    }
    static void totals(__m512 a, __m512 b, __m512 c, __m512 d, float *to) {
        const __m256 all =
            _mm256_hadd_ps(_mm256_hadd_ps(halve(a), halve(b)), _mm256_hadd_ps(halve(c), halve(d)));
        _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
    }
};

void score_avx512(const float *query, const float *rows, size_t count, size_t dimension,
                  float *scores) {
    constexpr size_t kShortRow = 64;
    if (dimension < kShortRow) return kScoreAvx2.score(query, rows, count, dimension, scores);
    score_rows<Avx512>(query, rows, count, dimension, scores);
}

}  // namespace

const ScoreKernel kScoreAvx512 = {"avx512", score_avx512};

}  // namespace accp::sacp
ACCP_TARGET_END
#endif
