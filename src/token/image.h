// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A vocabulary as it lies in memory: read-only, position-independent, shared between processes
// where it is linked in. In order:
//   ImageHead
//   Seams                             what tokens have between characters
//   PieceCount words[head.words]      tokens that are looked up as whole pieces: the earliest of up
//                                     to 15 bytes, in sets (PieceCount::kWays), by key_hash()
//   uint64_t met[head.met]            a bit for each pair that merges, by its hash: most pairs do
//   not,
//                                     and this part stays in the processor's cache
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

// The bytes of a UTF-8 character by its first; 0 for a byte within one.
inline uint32_t character_size(uint8_t lead) {
    return lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// What tokens have at the boundaries between characters, in two parts. Either may report a boundary
// that no token has; it never leaves one out.
struct Seams {
    static constexpr int kPairBits = 18;

    // Boundaries of tokens that have only a part of a character beside them: by the last byte
    // before, a bit for the first byte after (lead_bit()).
    uint64_t cut[256];
    // Boundaries between two whole characters, of which the second has three bytes or four, as in
    // the scripts that are written without spaces: a bit for each such pair, by a hash.
    uint64_t pairs[(size_t{1} << kPairBits) / 64];

    static size_t pair_bit(uint32_t before, uint32_t after) {
        return static_cast<size_t>((uint64_t{before} << 32 | after) * 0x9E3779B97F4A7C15 >>
                                   (64 - kPairBits));
    }
    // All of ASCII has the bit that 0xC0, which no text has, would have.
    static uint64_t lead_bit(uint32_t lead) { return uint64_t{1} << (lead < 0x80 ? 0 : lead & 63); }

    void add_cut(uint32_t last_byte, uint32_t lead) { cut[last_byte] |= lead_bit(lead); }
    void add_pair(uint32_t before, uint32_t after) {
        size_t bit = pair_bit(before, after);
        pairs[bit / 64] |= uint64_t{1} << bit % 64;
    }

    // Does a token end or begin inside of a character beside this boundary?
    bool is_cut(uint8_t last_byte, uint8_t lead) const { return cut[last_byte] & lead_bit(lead); }
    // May a token reach over the boundary? Characters are their UTF-8 bytes, the first lowest; the
    // second has three or four.
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

// A set of words lies on one line of the processor's cache.
constexpr size_t kWordsOffset = (sizeof(ImageHead) + sizeof(Seams) + 63) / 64 * 64;
inline size_t met_offset(const ImageHead &head) {
    return kWordsOffset + size_t{head.words} * sizeof(PieceCount);
}
inline size_t slots_offset(const ImageHead &head) {
    return met_offset(head) + size_t{head.met} * 8;
}
// Of the bit of a pair.
inline uint32_t met_bit(uint64_t hash, uint32_t met) {
    return static_cast<uint32_t>(hash >> 32) & (met * 64 - 1);
}
inline size_t pilots_offset(const ImageHead &head) {
    return slots_offset(head) + size_t{head.slots} * 8;
}
// Of the set that a word is in.
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
