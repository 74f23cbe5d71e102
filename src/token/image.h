// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A vocabulary in memory: read-only and position-independent, and shared between processes if it
// is linked in. In order:
//   ImageHead
//   Seams                             which boundaries between characters tokens cross
//   PieceCount words[head.words]      tokens to look up as whole pieces: the earliest of up to 15
//                                     bytes, in sets (PieceCount::kWays), by key_hash()
//   uint64_t met[head.met]            a bit for each pair that merges, by its hash. Most pairs do
//                                     not merge, and this part stays in the processor's cache
//   uint64_t slots[head.slots]        the merges, by a perfect hash of (left, right); kEmptySlot
//                                     if there is none
//   uint16_t pilots[head.buckets]     the numbers that map each pair of a bucket to its own slot
//   uint8_t  places[3 * head.merges]  the slot of merge i, for decoding
// Tokens are numbered in the order of merges: 0 to 255 are the bytes (in the vocabulary's own
// order), 256 + i is merge i. If two merges are possible, the lower number comes first. A
// token has several splits into pairs, but only its canonical split can occur in a merge
// (docs/notes/tokens.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "token/piece_entry.h"

namespace accp::token {

constexpr uint32_t kImageMagic = 0x32564341;  // "ACV2"
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
    uint32_t words;                    // a power of two
    uint32_t met;                      // a power of two
    uint32_t byte_token[kByteTokens];  // the token of a byte
    uint8_t byte_of[kByteTokens];      // the byte of a token
};

// The length of a UTF-8 character, by its first byte; 0 for a byte inside one.
inline uint32_t character_size(uint8_t lead) {
    return lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// The boundaries between characters that tokens cross, in two parts. Either part may report a
// boundary that no token crosses, but never misses one of its kind that a token crosses.
struct Seams {
    static constexpr int kPairBits = 18;

    // For boundaries in tokens that hold only a part of a character next to the boundary. Indexed
    // by the last byte before it; a bit for the first byte after it (lead_bit()).
    uint64_t cut[256];
    // For boundaries between two whole characters, if the second has three or four bytes, as in
    // scripts that are written without spaces. A bit for each such pair, by a hash.
    uint64_t pairs[(size_t{1} << kPairBits) / 64];

    static size_t pair_bit(uint32_t before, uint32_t after) {
        return static_cast<size_t>((uint64_t{before} << 32 | after) * 0x9E3779B97F4A7C15 >>
                                   (64 - kPairBits));
    }
    // All of ASCII shares the bit of 0xC0, a byte that never occurs in UTF-8.
    static uint64_t lead_bit(uint32_t lead) { return uint64_t{1} << (lead < 0x80 ? 0 : lead & 63); }

    void add_cut(uint32_t last_byte, uint32_t lead) { cut[last_byte] |= lead_bit(lead); }
    void add_pair(uint32_t before, uint32_t after) {
        size_t bit = pair_bit(before, after);
        pairs[bit / 64] |= uint64_t{1} << bit % 64;
    }

    // Does a token cross this boundary and begin or end inside a character next to it?
    bool is_cut(uint8_t last_byte, uint8_t lead) const { return cut[last_byte] & lead_bit(lead); }
    // May a token cross the boundary? Characters are given as their UTF-8 bytes, the first in the
    // lowest byte. The second must have three or four bytes.
    bool is_joined(uint32_t before, uint8_t last_byte, uint32_t after) const {
        size_t bit = pair_bit(before, after);
        return (pairs[bit / 64] >> bit % 64 & 1) || is_cut(last_byte, after & 0xFF);
    }
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

// A set of words is on one line of the processor's cache.
constexpr size_t kWordsOffset = (sizeof(ImageHead) + sizeof(Seams) + 63) / 64 * 64;
inline size_t met_offset(const ImageHead &head) {
    return kWordsOffset + size_t{head.words} * sizeof(PieceCount);
}
inline size_t slots_offset(const ImageHead &head) {
    return met_offset(head) + size_t{head.met} * 8;
}
// The index of a pair's bit in `met`.
inline uint32_t met_bit(uint64_t hash, uint32_t met) {
    return static_cast<uint32_t>(hash >> 32) & (met * 64 - 1);
}
inline size_t pilots_offset(const ImageHead &head) {
    return slots_offset(head) + size_t{head.slots} * 8;
}
// The index of the set that a word is in.
inline size_t word_set(const ImageHead &head, uint64_t hash) {
    return static_cast<size_t>((hash >> 32) * head.words >> 32) & ~(PieceCount::kWays - 1);
}
inline size_t places_offset(const ImageHead &head) {
    return pilots_offset(head) + size_t{head.buckets} * 2;
}
inline size_t image_size(const ImageHead &head) {
    return places_offset(head) + size_t{head.merges} * 3;
}

}  // namespace accp::token
