// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for NEON: four floats at a time. Every AArch64 processor has it.
#if defined(__aarch64__)
#include <arm_neon.h>

#include <cstring>

#include "sacp/agents/similarity_rows.h"

namespace accp::sacp {
namespace {

struct Neon {
    static constexpr size_t kLanes = 4;
    static float32x4_t zero() { return vdupq_n_f32(0); }
    static float32x4_t load(const float *from) { return vld1q_f32(from); }
    static float32x4_t load_part(const float *from, size_t count) {
        float four[4] = {};
        std::memcpy(four, from, count * sizeof *from);
        return vld1q_f32(four);
    }
    static float32x4_t add(float32x4_t sum, float32x4_t a, float32x4_t b) {
        return vfmaq_f32(sum, a, b);
    }
    static float32x4_t join(float32x4_t a, float32x4_t b) { return vaddq_f32(a, b); }
    static void totals(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d, float *to) {
        vst1q_f32(to, vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d)));
    }
};

}  // namespace

const ScoreKernel kScoreNeon = {"neon", score_rows<Neon>};

}  // namespace accp::sacp
#endif
