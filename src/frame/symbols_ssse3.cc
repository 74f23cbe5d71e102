// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for SSSE3: four registers for each block. Used only if the machine has SSSE3.
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/target.h"
#include "frame/symbols.h"

ACCP_TARGET_BEGIN("ssse3")
#include "frame/symbols_blocks.h"

namespace accp::frame {
namespace {

struct Ssse3 {
    struct Block {
        __m128i code[4];
    };

    static __m128i table(const uint8_t (&entries)[16]) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(entries));
    }
    static uint64_t bits(__m128i bytes) { return static_cast<uint64_t>(_mm_movemask_epi8(bytes)); }
    static uint64_t zeros_below(uint64_t bits) {
        return static_cast<uint64_t>(__builtin_ctzll(bits | uint64_t{1} << 63));
    }
    static uint64_t zero(__m128i bytes) { return bits(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())); }

    static Masks read(const char *from, Block &block) {
        Masks masks = {};
        for (int i = 0; i < 4; ++i) {
            __m128i byte = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + 16 * i));
            __m128i low = _mm_and_si128(byte, _mm_set1_epi8(0x0F));
            __m128i high = _mm_and_si128(_mm_srli_epi16(byte, 4), _mm_set1_epi8(0x0F));
            __m128i both = _mm_and_si128(_mm_shuffle_epi8(table(kLow), low),
                                         _mm_shuffle_epi8(table(kHigh), high));
            block.code[i] = _mm_add_epi8(low, _mm_shuffle_epi8(table(kCode), high));
            uint64_t above = bits(byte);
            masks.delimiters |= (zero(_mm_and_si128(both, _mm_set1_epi8(kDelimiterBits))) ^ 0xFFFF)
                                << 16 * i;
            masks.words |= (zero(_mm_andnot_si128(_mm_set1_epi8(kDelimiterBits), both)) ^ 0xFFFF)
                           << 16 * i;
            masks.digits |= (zero(_mm_and_si128(both, _mm_set1_epi8(kDigitBit))) ^ 0xFFFF)
                            << 16 * i;
            masks.backslashes |= bits(_mm_cmpeq_epi8(byte, _mm_set1_epi8('\\'))) << 16 * i;
            masks.illegal |= ((bits(_mm_cmpgt_epi8(_mm_set1_epi8(0x21), byte)) & ~above) |
                              bits(_mm_cmpeq_epi8(byte, _mm_set1_epi8(0x7F))))
                             << 16 * i;
            masks.high |= above << 16 * i;
        }
        return masks;
    }

    // 0xFF in every byte whose bit is set.
    static __m128i spread(uint64_t mask) {
        __m128i lanes = _mm_set1_epi16(static_cast<short>(mask));
        __m128i pick = _mm_set_epi64x(0x0101010101010101, 0);
        __m128i bit = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201));
        return _mm_cmpeq_epi8(_mm_and_si128(_mm_shuffle_epi8(lanes, pick), bit), bit);
    }

    static void write(uint8_t *to, const Block &block, uint64_t filled, uint64_t other,
                      uint64_t mixed) {
        for (int i = 0; i < 4; ++i) {
            __m128i is_filled = _mm_and_si128(spread(filled >> 16 * i), _mm_set1_epi8(kFilled));
            __m128i is_other = _mm_and_si128(spread(other >> 16 * i), _mm_set1_epi8(kOther));
            __m128i is_mixed =
                _mm_and_si128(spread(mixed >> 16 * i), _mm_set1_epi8(static_cast<char>(kNonDigit)));
            __m128i code = _mm_or_si128(_mm_or_si128(block.code[i], is_mixed),
                                        _mm_or_si128(is_filled, is_other));
            _mm_storeu_si128(reinterpret_cast<__m128i *>(to + 16 * i), code);
        }
    }
};

}  // namespace

const SymbolsKernel kSymbolsSsse3 = {"ssse3", find_blocks<Ssse3>};

}  // namespace accp::frame
ACCP_TARGET_END
#endif
