// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A vocabulary as it lies in memory: read-only, position-independent, shared between processes
// where it is linked in. In order:
//   ImageHead
//   uint64_t slots[head.slots]        the merges, by a perfect hash of (left, right); kEmptySlot
//                                     where there is none
//   uint16_t pilots[head.buckets]     what sends every pair of a bucket to a slot of its own
//   uint8_t  places[3 * head.merges]  the slot of merge i, for decoding
// Tokens are numbered as they are merged: 0 to 255 are the bytes (in the vocabulary's own order),
// 256 + i is merge i, and of two merges that could be done the one with the lower number comes
// first. Only a token's canonical split can ever stand side by side (docs/notes/tokens.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::token {

constexpr uint32_t kImageMagic = 0x31564341;  // "ACV1"
constexpr uint32_t kByteTokens = 256;
constexpr int kTokenBits = 21;  // left, right and merged in one slot
constexpr uint32_t kMaxTokens = (1u << kTokenBits) - 2;
constexpr uint32_t kNoToken = ~0u;
constexpr uint64_t kEmptySlot = ~uint64_t{0};

struct ImageHead {
    uint32_t magic;
    uint32_t merges;
    uint32_t slots;
    uint32_t buckets;
    uint32_t seed;
    uint32_t longest;                  // bytes of the longest token
    uint32_t byte_token[kByteTokens];  // the token of a byte
    uint8_t byte_of[kByteTokens];      // the byte of a token
};

inline uint64_t pair_key(uint32_t left, uint32_t right) {
    return uint64_t{left} << kTokenBits | right;
}
inline uint32_t scaled(uint32_t hash, uint32_t size) {
    return static_cast<uint32_t>(uint64_t{hash} * size >> 32);
}

inline uint64_t pair_hash(uint64_t key, uint32_t seed) {
    uint64_t hash = (key + seed) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 32;
}
inline uint32_t pair_slot(uint64_t hash, uint32_t pilot, uint32_t slots) {
    return scaled(
        static_cast<uint32_t>((hash ^ pilot * 0xC2B2AE3D27D4EB4F) * 0x165667B19E3779F9 >> 32),
        slots);
}

inline size_t pilots_offset(const ImageHead &head) {
    return sizeof(ImageHead) + size_t{head.slots} * 8;
}
inline size_t places_offset(const ImageHead &head) {
    return pilots_offset(head) + size_t{head.buckets} * 2;
}
inline size_t image_size(const ImageHead &head) {
    return places_offset(head) + size_t{head.merges} * 3;
}

}  // namespace accp::token
