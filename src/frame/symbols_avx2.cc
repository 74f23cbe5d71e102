// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX2: two registers for each block. Used only if the machine has AVX2.
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/target.h"
#include "frame/symbols.h"

ACCP_TARGET_BEGIN("avx2,bmi,popcnt")
#include "frame/symbols_blocks.h"

namespace accp::frame {
namespace {

struct Avx2 {
    struct Block {
        __m256i code[2];
    };

    static __m256i table(const uint8_t (&entries)[16]) {
        return _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i *>(entries)));
    }
    static uint32_t bits(__m256i bytes) {
        return static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
    }
    static uint64_t zeros_below(uint64_t bits) { return _tzcnt_u64(bits); }
    static uint32_t zero(__m256i bytes) {
        return bits(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
    }

    static Masks read_half(const char *from, __m256i &code) {
        __m256i byte = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
        __m256i low = _mm256_and_si256(byte, _mm256_set1_epi8(0x0F));
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(byte, 4), _mm256_set1_epi8(0x0F));
        __m256i both = _mm256_and_si256(_mm256_shuffle_epi8(table(kLow), low),
                                        _mm256_shuffle_epi8(table(kHigh), high));
        code = _mm256_add_epi8(low, _mm256_shuffle_epi8(table(kCode), high));
        uint32_t above = bits(byte);
        Masks masks;
        masks.delimiters = ~zero(_mm256_and_si256(both, _mm256_set1_epi8(kDelimiterBits)));
        masks.words = ~zero(_mm256_andnot_si256(_mm256_set1_epi8(kDelimiterBits), both));
        masks.digits = ~zero(_mm256_and_si256(both, _mm256_set1_epi8(kDigitBit)));
        masks.backslashes = bits(_mm256_cmpeq_epi8(byte, _mm256_set1_epi8('\\')));
        masks.illegal = (bits(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x21), byte)) & ~above) |
                        bits(_mm256_cmpeq_epi8(byte, _mm256_set1_epi8(0x7F)));
        masks.high = above;
        return masks;
    }

    static Masks read(const char *from, Block &block) {
        Masks a = read_half(from, block.code[0]);
        Masks b = read_half(from + 32, block.code[1]);
        return {a.delimiters | b.delimiters << 32, a.words | b.words << 32,
                a.digits | b.digits << 32,         a.backslashes | b.backslashes << 32,
                a.illegal | b.illegal << 32,       a.high | b.high << 32};
    }

    // 0xFF in every byte whose bit is set.
    static __m256i spread(uint32_t mask) {
        __m256i lanes = _mm256_set1_epi32(static_cast<int>(mask));
        __m256i pick =
            _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
        __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
        return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(lanes, pick), bit), bit);
    }

    static void write(uint8_t *to, const Block &block, uint64_t filled, uint64_t other,
                      uint64_t mixed) {
        for (int i = 0; i < 2; ++i) {
            __m256i is_filled = _mm256_and_si256(spread(static_cast<uint32_t>(filled >> 32 * i)),
                                                 _mm256_set1_epi8(kFilled));
            __m256i is_other = _mm256_and_si256(spread(static_cast<uint32_t>(other >> 32 * i)),
                                                _mm256_set1_epi8(kOther));
            __m256i is_mixed = _mm256_and_si256(spread(static_cast<uint32_t>(mixed >> 32 * i)),
                                                _mm256_set1_epi8(static_cast<char>(kNonDigit)));
            __m256i code = _mm256_or_si256(_mm256_or_si256(block.code[i], is_mixed),
                                           _mm256_or_si256(is_filled, is_other));
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + 32 * i), code);
        }
    }
};

}  // namespace

const SymbolsKernel kSymbolsAvx2 = {"avx2", find_blocks<Avx2>};

}  // namespace accp::frame
ACCP_TARGET_END
#endif
