// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A vocabulary in memory: read-only and position-independent, and shared between processes if it
// is linked in. In order:
//   ImageHead
//   Seams                             which boundaries between characters tokens cross
//   PieceCount words[head.words]      tokens to look up as whole pieces: the earliest of up to 15
//                                     bytes, in sets (PieceCount::kWays), by key_hash()
//   uint64_t pair_filter[head.pair_filter]
//                                     a bit for each pair that merges, by its hash. Most pairs do
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
#include <cstring>

#include "base/memory.h"
#include "token/piece_cache.h"

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
    uint32_t pair_filter;              // a power of two
    uint32_t byte_token[kByteTokens];  // the token of a byte
    uint8_t byte_of[kByteTokens];      // the byte of a token
};

// Returns the length of a UTF-8 character from its first byte, or 0 for a byte inside a character.
inline uint32_t character_size(uint8_t lead) {
    return lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// The boundaries between characters that tokens cross, in two parts. Either part may report a
// boundary that no token crosses, but never misses one of its kind that a token crosses.
struct Seams {
    static constexpr int kPairBits = 18;

    // For boundaries in tokens that hold only a part of a character next to the boundary. The index
    // is the last byte before it; the bit is lead_bit() of the first byte after it.
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

    // Returns whether a token crosses this boundary and begins or ends inside a character next to
    // it.
    bool is_cut(uint8_t last_byte, uint8_t lead) const { return cut[last_byte] & lead_bit(lead); }
    // Returns whether a token may cross the boundary. Characters are given as their UTF-8 bytes,
    // the first in the lowest byte. The second must have three or four bytes.
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

// Aligns each set of words to a cache line.
constexpr size_t kWordsOffset = (sizeof(ImageHead) + sizeof(Seams) + 63) / 64 * 64;
inline size_t pair_filter_offset(const ImageHead &head) {
    return kWordsOffset + size_t{head.words} * sizeof(PieceCount);
}
inline size_t slots_offset(const ImageHead &head) {
    return pair_filter_offset(head) + size_t{head.pair_filter} * 8;
}
// Returns the index of a pair's bit in `pair_filter`.
inline uint32_t pair_filter_bit(uint64_t hash, uint32_t pair_filter) {
    return static_cast<uint32_t>(hash >> 32) & (pair_filter * 64 - 1);
}
inline size_t pilots_offset(const ImageHead &head) {
    return slots_offset(head) + size_t{head.slots} * 8;
}
// Returns the index of the set of a word.
inline size_t word_set(const ImageHead &head, uint64_t hash) {
    return static_cast<size_t>((hash >> 32) * head.words >> 32) & ~(PieceCount::kWays - 1);
}
inline size_t places_offset(const ImageHead &head) {
    return pilots_offset(head) + size_t{head.buckets} * 2;
}
inline size_t image_size(const ImageHead &head) {
    return places_offset(head) + size_t{head.merges} * 3;
}

// Reads an image: the merge of two tokens, and the bytes of a token.
class Vocabulary {
public:
    Vocabulary() = default;
    // The image must be aligned to 8 bytes and outlive this object. It is trusted, because
    // build_image() wrote it.
    explicit Vocabulary(const char *image) : head_(reinterpret_cast<const ImageHead *>(image)) {
        pair_filter_ = reinterpret_cast<const uint64_t *>(image + pair_filter_offset(*head_));
        pair_filter_words_ = head_->pair_filter;
        slots_ = reinterpret_cast<const uint64_t *>(image + slots_offset(*head_));
        seams_ = reinterpret_cast<const Seams *>(image + sizeof(ImageHead));
        words_ = reinterpret_cast<const PieceCount *>(image + kWordsOffset);
        pilots_ = reinterpret_cast<const uint16_t *>(image + pilots_offset(*head_));
        places_ = reinterpret_cast<const uint8_t *>(image + places_offset(*head_));
        slot_count_ = head_->slots;
        bucket_count_ = head_->buckets;
        seed_ = head_->seed;
    }

    uint32_t size() const { return head_->merges + kByteTokens; }
    uint32_t longest() const { return head_->longest; }
    uint32_t byte(char c) const { return head_->byte_token[static_cast<unsigned char>(c)]; }

    // Returns the token that the two merge to, or kNoToken. If two merges are possible, the one
    // with the lower token comes first.
    uint32_t merged(uint32_t left, uint32_t right) const {
        uint64_t key = pair_key(left, right), hash = pair_hash(key, seed_);
        uint32_t bit = pair_filter_bit(hash, pair_filter_words_);
        if (!(pair_filter_[bit / 64] >> bit % 64 & 1)) return kNoToken;
        uint32_t pilot = pilots_[scaled(static_cast<uint32_t>(hash), bucket_count_)];
        uint64_t slot = slots_[pair_slot(hash, pilot, slot_count_)];
        return slot >> kTokenBits == key ? static_cast<uint32_t>(slot) & ((1u << kTokenBits) - 1)
                                         : kNoToken;
    }

    // Returns whether the piece is one token. Also false for most rare or long tokens.
    bool is_word(const PieceCount &key) const {
        const PieceCount *set = words_ + word_set(*head_, key.key_hash());
        bool found = false;
        for (size_t i = 0; i < PieceCount::kWays; ++i) found |= set[i].is(key);
        return found;
    }

    // The positions where runs of characters can be cut before merging.
    const Seams &seams() const { return *seams_; }

    // Appends the bytes of a token, which must be below size().
    void append(uint32_t token, Buffer<char> &out) const;

private:
    uint64_t split(uint32_t token) const {
        const uint8_t *place = places_ + size_t{3} * (token - kByteTokens);
        return slots_[place[0] | place[1] << 8 | place[2] << 16] >> kTokenBits;
    }

    const ImageHead *head_ = nullptr;
    const Seams *seams_ = nullptr;
    const PieceCount *words_ = nullptr;
    const uint64_t *pair_filter_ = nullptr, *slots_ = nullptr;
    const uint16_t *pilots_ = nullptr;
    const uint8_t *places_ = nullptr;
    uint32_t pair_filter_words_ = 0, slot_count_ = 0, bucket_count_ = 0, seed_ = 0;
};

struct Merge {
    uint32_t left, right;
};

// Builds an image: at build time for built-in vocabularies, at run time for loaded ones. Writes the
// image of `merges`. Merge i is token 256 + i and consists of two lower tokens.
// byte_token: the token of every byte.
void build_image(Memory &memory, const uint32_t *byte_token, const Merge *merges, uint32_t count,
                 Buffer<char> &image);

}  // namespace accp::token
