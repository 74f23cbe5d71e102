// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The entries of the caches of pieces (piece_table.h): the count for a piece of up to 15 bytes, the
// count and the ids for such a piece, the count for a piece of up to 30 bytes, and both for a
// longer one.
#pragma once

#include <cstdint>
#include <cstring>

namespace accp::token {

// By the length of a piece: its bytes among those of a key.
struct KeptBytes {
    uint64_t low[16] = {}, high[16] = {};

    constexpr KeptBytes() {
        for (size_t len = 1; len < 16; ++len) {
            constexpr uint64_t kAll = ~uint64_t{0};
            low[len] = len >= 8 ? kAll : kAll >> (64 - 8 * len);
            high[len] = len <= 8 ? 0 : kAll >> (128 - 8 * len);
        }
    }
};
inline constexpr KeptBytes kKeptBytesOf;

// A piece of 1 to kLongest bytes with zeros after it, and in the last byte its length and above
// this, in an entry, its count.
struct PieceCount {
    static constexpr size_t kWays = 4, kLongest = 15;

    uint64_t low, high;

    // Of these 16 bytes may be read.
    static PieceCount key_padded(const char *piece, size_t len) {
        PieceCount key;
        std::memcpy(&key, piece, 16);
        return {key.low & kKeptBytesOf.low[len],
                (key.high & kKeptBytesOf.high[len]) | uint64_t{len} << 56};
    }
    // `end`: of what may be read.
    static PieceCount key(const char *piece, size_t len, const char *end) {
        if (end - piece >= 16) return key_padded(piece, len);
        char padded[16] = {};
        std::memcpy(padded, piece, len);
        return key_padded(padded, len);
    }

    bool is_none() const { return !high; }
    bool is(const PieceCount &key) const { return ((low ^ key.low) | (high ^ key.high) << 4) == 0; }
    uint32_t count() const { return static_cast<uint32_t>(high >> 60); }
    void set_count(uint32_t count) { high |= uint64_t{count} << 60; }

    // Of a key.
    uint64_t key_hash() const {
        uint64_t hash = (low ^ high * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        return hash ^ hash << 29;
    }
    uint64_t hash() const { return PieceCount{low, high << 4 >> 4}.key_hash(); }
};

// At most kMaxIds ids: a piece with more is not kept.
struct PieceIds {
    static constexpr size_t kWays = 2;
    static constexpr uint32_t kMaxIds = 4;

    PieceCount piece;
    uint32_t ids[kMaxIds];

    bool is_none() const { return piece.is_none(); }
    uint64_t hash() const { return piece.hash(); }
};

// The count of a piece of kShortest to kLongest bytes. Holds its first 16 bytes and its last 14;
// the last two bytes hold its length and its count.
struct WordCount {
    static constexpr size_t kWays = 4, kShortest = 16, kLongest = 30;

    uint64_t first[2], last[2];

    static WordCount key(const char *piece, size_t len) {
        WordCount key;
        std::memcpy(key.first, piece, 16);
        std::memcpy(key.last, piece + len - 14, 8);
        std::memcpy(key.last + 1, piece + len - 8, 8);
        key.last[1] = key.last[1] >> 16 | uint64_t{len} << 48;
        return key;
    }

    bool is_none() const { return !last[1]; }
    bool is(const WordCount &key) const {
        return ((first[0] ^ key.first[0]) | (first[1] ^ key.first[1]) | (last[0] ^ key.last[0]) |
                (last[1] ^ key.last[1]) << 8) == 0;
    }
    uint32_t count() const { return static_cast<uint32_t>(last[1] >> 56); }
    void set_count(uint32_t count) { last[1] |= uint64_t{count} << 56; }

    // For a key, without a count.
    uint64_t key_hash() const {
        uint64_t hash = (first[0] ^ first[1] * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        hash = (hash ^ hash >> 32 ^ last[0] ^ last[1] * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        return hash ^ hash << 29;
    }
    uint64_t hash() const {
        return WordCount{{first[0], first[1]}, {last[0], last[1] << 8 >> 8}}.key_hash();
    }
};

// A piece of kShortest to kLongest bytes. The ids are there if there are at most kMaxIds.
struct LongPiece {
    static constexpr size_t kWays = 2, kShortest = 16, kLongest = 64;
    static constexpr uint32_t kMaxIds = 14;

    char text[kLongest];
    uint32_t ids[kMaxIds];
    uint32_t len, count;

    bool is_none() const { return !len; }
    bool is(const char *piece, size_t size) const {
        return len == size && std::memcmp(text, piece, size) == 0;
    }
    uint64_t hash() const { return hash_of(text, len); }
    static uint64_t hash_of(const char *piece, size_t size) {
        uint64_t first[2], last[2];
        std::memcpy(first, piece, 16);
        std::memcpy(last, piece + size - 16, 16);
        uint64_t hash = (first[0] ^ first[1] * 0x9E3779B97F4A7C15 ^ size) * 0xC2B2AE3D27D4EB4F;
        hash = (hash ^ hash >> 32 ^ last[0] ^ last[1] * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        return hash ^ hash << 29;
    }
};

}  // namespace accp::token
