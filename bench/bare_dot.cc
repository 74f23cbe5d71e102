// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See bare_dot.h. Compiled for speed, with additions in any order, for each kind of processor.
#include "bare_dot.h"

namespace accp_bench {

#if defined(__x86_64__) && !defined(__clang__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
float bare_dot(const float *query, const float *rows, size_t count, size_t dimension) {
    float best = -1;
    for (size_t i = 0; i < count; ++i) {
        const float *row = rows + i * dimension;
        float sum = 0;
        for (size_t k = 0; k < dimension; ++k) sum += query[k] * row[k];
        best = sum > best ? sum : best;
    }
    return best;
}

}  // namespace accp_bench
