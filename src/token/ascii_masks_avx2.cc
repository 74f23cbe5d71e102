// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX2: two registers. A tail is copied to a buffer of 64 bytes first.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstring>

#include "base/target.h"
#include "token/ascii_masks.h"

ACCP_TARGET_BEGIN("avx2")
namespace accp::token {
namespace {

struct Block {
    __m256i low, high;
};

inline uint64_t bits(__m256i low, __m256i high) {
    return static_cast<uint32_t>(_mm256_movemask_epi8(low)) |
           uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(high))} << 32;
}
inline __m256i is_within(__m256i v, char from, int count) {
    __m256i shifted = _mm256_sub_epi8(v, _mm256_set1_epi8(from));
    return _mm256_cmpeq_epi8(
        _mm256_min_epu8(shifted, _mm256_set1_epi8(static_cast<char>(count - 1))), shifted);
}
inline uint64_t within(const Block &block, char from, int count) {
    return bits(is_within(block.low, from, count), is_within(block.high, from, count));
}
inline uint64_t equal(const Block &block, char c) {
    __m256i wanted = _mm256_set1_epi8(c);
    return bits(_mm256_cmpeq_epi8(block.low, wanted), _mm256_cmpeq_epi8(block.high, wanted));
}

void find(const char *text, size_t len, AsciiMasks &masks) {
    char tail[64];
    if (len < 64) {
        std::memset(tail, 0, sizeof tail);
        std::memcpy(tail, text, len);
        text = tail;
    }
    Block block = {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(text)),
                   _mm256_loadu_si256(reinterpret_cast<const __m256i *>(text + 32))};
    masks.upper = within(block, 'A', 26);
    masks.lower = within(block, 'a', 26);
    masks.digit = within(block, '0', 10);
    masks.space = equal(block, ' ');
    masks.newline = equal(block, '\n') | equal(block, '\r');
    masks.blank = masks.space | (within(block, '\t', 5) & ~masks.newline);
    masks.quote = equal(block, '\'');
    masks.slash = equal(block, '/');
    masks.high = bits(block.low, block.high);
}

}  // namespace

const MasksKernel kMasksAvx2 = {"avx2", find};

}  // namespace accp::token
ACCP_TARGET_END
#endif
