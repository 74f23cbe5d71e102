// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX-512: sixteen floats at a time, the last ones of a row under a mask. Reached
// only where the machine has it.
#if defined(__x86_64__)
// gcc 12 finds the undefined operands of its own intrinsics.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "base/target.h"
#include "plan/similar_kernel.h"

ACCP_TARGET_BEGIN("avx512f")
#include "plan/similar_rows.h"

namespace accp::plan {
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
    static float total(__m512 sum) { return _mm512_reduce_add_ps(sum); }
};

}  // namespace

const ScoreKernel kScoreAvx512 = {"avx512", score_rows<Avx512>};

}  // namespace accp::plan
ACCP_TARGET_END
#endif
