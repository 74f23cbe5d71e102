// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for NEON: four registers for each block. Every AArch64 machine has NEON.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "frame/symbols_blocks.h"

namespace accp::frame {
namespace {

struct Neon {
    struct Block {
        uint8x16_t code[4];
    };
    using Bytes = uint8x16_t[4];  // 0 or 0xFF each

    static uint64_t zeros_below(uint64_t bits) {
        return static_cast<uint64_t>(__builtin_ctzll(bits | uint64_t{1} << 63));
    }

    // One bit for each byte. NEON has no move-mask instruction. So each byte keeps the bit of its
    // index among eight, and three pairwise additions combine eight bytes in one.
    static uint64_t bits(const Bytes &set) {
        const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
        uint8x16_t low = vpaddq_u8(vandq_u8(set[0], place), vandq_u8(set[1], place));
        uint8x16_t high = vpaddq_u8(vandq_u8(set[2], place), vandq_u8(set[3], place));
        uint8x16_t all = vpaddq_u8(low, high);
        return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
    }

    static Masks read(const char *from, Block &block) {
        const uint8x16_t low_table = vld1q_u8(kLow), high_table = vld1q_u8(kHigh),
                         code_table = vld1q_u8(kCode);
        Bytes delimiters, words, digits, backslashes, illegal, high;
        for (int i = 0; i < 4; ++i) {
            uint8x16_t byte = vld1q_u8(reinterpret_cast<const uint8_t *>(from) + 16 * i);
            uint8x16_t low_half = vandq_u8(byte, vdupq_n_u8(0x0F));
            uint8x16_t high_half = vshrq_n_u8(byte, 4);
            uint8x16_t both =
                vandq_u8(vqtbl1q_u8(low_table, low_half), vqtbl1q_u8(high_table, high_half));
            block.code[i] = vaddq_u8(low_half, vqtbl1q_u8(code_table, high_half));
            delimiters[i] = vtstq_u8(both, vdupq_n_u8(kDelimiterBits));
            words[i] = vtstq_u8(both, vdupq_n_u8(static_cast<uint8_t>(~kDelimiterBits)));
            digits[i] = vtstq_u8(both, vdupq_n_u8(kDigitBit));
            backslashes[i] = vceqq_u8(byte, vdupq_n_u8('\\'));
            illegal[i] =
                vorrq_u8(vcltq_u8(byte, vdupq_n_u8(0x21)), vceqq_u8(byte, vdupq_n_u8(0x7F)));
            high[i] = vcgeq_u8(byte, vdupq_n_u8(0x80));
        }
        return {bits(delimiters),  bits(words),   bits(digits),
                bits(backslashes), bits(illegal), bits(high)};
    }

    // `value` in every byte whose bit is set.
    static uint8x16_t spread(uint64_t mask, uint8_t value) {
        const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
        uint8x16_t lanes = vcombine_u8(vdup_n_u8(static_cast<uint8_t>(mask)),
                                       vdup_n_u8(static_cast<uint8_t>(mask >> 8)));
        return vandq_u8(vtstq_u8(lanes, place), vdupq_n_u8(value));
    }

    static void write(uint8_t *to, const Block &block, uint64_t filled, uint64_t other,
                      uint64_t mixed) {
        for (int i = 0; i < 4; ++i) {
            uint8x16_t text =
                vorrq_u8(spread(filled >> 16 * i, kFilled), spread(other >> 16 * i, kOther));
            uint8x16_t code = vorrq_u8(block.code[i], spread(mixed >> 16 * i, kNonDigit));
            vst1q_u8(to + 16 * i, vorrq_u8(code, text));
        }
    }
};

}  // namespace

const SymbolsKernel kSymbolsNeon = {"neon", find_blocks<Neon>};

}  // namespace accp::frame
#endif
