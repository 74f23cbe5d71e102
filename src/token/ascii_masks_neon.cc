// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for NEON: four registers. A tail is copied to a buffer of 64 bytes first. Every
// AArch64 machine has NEON.
#if defined(__aarch64__)
#include <arm_neon.h>

#include <cstring>

#include "token/ascii_masks.h"

namespace accp::token {
namespace {

struct Block {
    uint8x16_t v[4];
};

// One bit for each byte. NEON has no move-mask instruction. So each byte keeps the bit of its index
// among eight, and three pairwise additions combine eight bytes in one.
inline uint64_t bits(const Block &set) {
    const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    uint8x16_t low = vpaddq_u8(vandq_u8(set.v[0], place), vandq_u8(set.v[1], place));
    uint8x16_t high = vpaddq_u8(vandq_u8(set.v[2], place), vandq_u8(set.v[3], place));
    uint8x16_t all = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}
inline uint64_t within(const Block &block, char from, int count) {
    const uint8x16_t first = vdupq_n_u8(static_cast<uint8_t>(from)),
                     size = vdupq_n_u8(static_cast<uint8_t>(count));
    Block set;
    for (int i = 0; i < 4; ++i) set.v[i] = vcltq_u8(vsubq_u8(block.v[i], first), size);
    return bits(set);
}
inline uint64_t equal(const Block &block, char c) {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<uint8_t>(c));
    Block set;
    for (int i = 0; i < 4; ++i) set.v[i] = vceqq_u8(block.v[i], wanted);
    return bits(set);
}

void find(const char *text, size_t len, AsciiMasks &masks) {
    char tail[64];
    if (len < 64) {
        std::memset(tail, 0, sizeof tail);
        std::memcpy(tail, text, len);
        text = tail;
    }
    Block block;
    for (int i = 0; i < 4; ++i)
        block.v[i] = vld1q_u8(reinterpret_cast<const uint8_t *>(text) + 16 * i);
    masks.upper = within(block, 'A', 26);
    masks.lower = within(block, 'a', 26);
    masks.digit = within(block, '0', 10);
    masks.space = equal(block, ' ');
    masks.newline = equal(block, '\n') | equal(block, '\r');
    masks.blank = masks.space | (within(block, '\t', 5) & ~masks.newline);
    masks.quote = equal(block, '\'');
    masks.slash = equal(block, '/');
    masks.high = within(block, static_cast<char>(0x80), 128);
}

}  // namespace

const MasksKernel kMasksNeon = {"neon", find};

}  // namespace accp::token
#endif
