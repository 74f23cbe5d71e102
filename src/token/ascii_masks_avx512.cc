// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX-512: one register, comparisons that produce masks, and a masked load instead
// of a copied tail.
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/target.h"
#include "token/ascii_masks.h"

ACCP_TARGET_BEGIN("avx512f,avx512bw")
namespace accp::token {
namespace {

inline uint64_t within(__m512i v, char from, int count) {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8(from)),
                                  _mm512_set1_epi8(static_cast<char>(count)));
}
inline uint64_t equal(__m512i v, char c) { return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)); }

void find(const char *text, size_t len, AsciiMasks &masks) {
    uint64_t valid = len >= 64 ? ~uint64_t{0} : (uint64_t{1} << len) - 1;
    __m512i v = _mm512_maskz_loadu_epi8(valid, text);
    uint64_t control_space = within(v, '\t', 5);
    masks.upper = within(v, 'A', 26);
    masks.lower = within(v, 'a', 26);
    masks.digit = within(v, '0', 10);
    masks.space = equal(v, ' ');
    masks.newline = equal(v, '\n') | equal(v, '\r');
    masks.blank = masks.space | (control_space & ~masks.newline);
    masks.quote = equal(v, '\'');
    masks.slash = equal(v, '/');
    masks.high = _mm512_movepi8_mask(v);
}

}  // namespace

const MasksKernel kMasksAvx512 = {"avx512", find};

}  // namespace accp::token
ACCP_TARGET_END
#endif
