// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX2 with FMA: eight floats at a time, with a mask for the end of a row. Called
// only if the processor has both.
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/target.h"
#include "sacp/agents/similarity_kernel.h"

ACCP_TARGET_BEGIN("avx2,fma")
#include "sacp/agents/similarity_rows.h"

namespace accp::sacp {
namespace {

struct Avx2 {
    static constexpr size_t kLanes = 8;
    static __m256 zero() { return _mm256_setzero_ps(); }
    static __m256 load(const float *from) { return _mm256_loadu_ps(from); }
    static __m256 load_part(const float *from, size_t count) {
        const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        return _mm256_maskload_ps(
            from, _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane));
    }
    static __m256 add(__m256 sum, __m256 a, __m256 b) { return _mm256_fmadd_ps(a, b, sum); }
    static __m256 join(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
    static void totals(__m256 a, __m256 b, __m256 c, __m256 d, float *to) {
        const __m256 all = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
        _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
    }
};

}  // namespace

const ScoreKernel kScoreAvx2 = {"avx2", score_rows<Avx2>};

}  // namespace accp::sacp
ACCP_TARGET_END
#endif
