// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Caches of the tokens of pieces. There are four kinds of entries: the count for a piece of up to
// 15 bytes, the count and ids for such a piece, the count for a piece of up to 30 bytes, and count
// and ids for a longer piece.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/memory.h"

namespace accp::token {

// Masks for the bytes of a piece in a key, by the length of the piece.
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

// A piece of 1 to kLongest bytes, padded with zeros. The last byte holds its length in the low
// bits, and in an entry its count in the high bits.
struct PieceCount {
    static constexpr size_t kWays = 4, kLongest = 15;

    uint64_t low, high;

    // 16 bytes must be readable.
    static PieceCount key_padded(const char *piece, size_t len) {
        PieceCount key;
        std::memcpy(&key, piece, 16);
        return {key.low & kKeptBytesOf.low[len],
                (key.high & kKeptBytesOf.high[len]) | uint64_t{len} << 56};
    }
    // `end` is the end of the readable bytes.
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

    // For a key, which has no count.
    uint64_t key_hash() const {
        uint64_t hash = (low ^ high * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        return hash ^ hash << 29;
    }
    uint64_t hash() const { return PieceCount{low, high << 4 >> 4}.key_hash(); }
};

// Pieces with more than kMaxIds ids are not cached.
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

    // For a key, which has no count.
    uint64_t key_hash() const {
        uint64_t hash = (first[0] ^ first[1] * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        hash = (hash ^ hash >> 32 ^ last[0] ^ last[1] * 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
        return hash ^ hash << 29;
    }
    uint64_t hash() const {
        return WordCount{{first[0], first[1]}, {last[0], last[1] << 8 >> 8}}.key_hash();
    }
};

// A piece of kShortest to kLongest bytes. It has its ids if there are at most kMaxIds.
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

// A cache of recent pieces. A set has a few adjacent entries, and a new entry replaces the oldest
// in its set. The size is bounded. Entries hold the whole piece, so hostile texts can make the
// cache useless, but not wrong. It begins small and grows as it fills, so a counter for few pieces
// needs little memory.
//
// An Entry is plain data whose size is a power of two; all zeros means empty. It has kWays (entries
// in a set, a power of two), hash() (whose high bits select the set), and is_none().
template <class Entry>
class PieceTable {
public:
    static constexpr size_t kWays = Entry::kWays;

    explicit PieceTable(Memory &memory) : memory_(memory), held_(memory) {}

    // max_entries is 0 or a power of two; there are at least two sets. Allocates memory.
    void open(size_t max_entries) {
        max_entries_ = max_entries < 2 * kWays ? 2 * kWays : max_entries;
        Buffer<char> none(memory_);
        replace(max_entries_ < kFirstEntries ? max_entries_ : kFirstEntries, none);
    }
    bool is_open() const { return entries_; }

    // Returns the set of this hash: kWays entries, the newest first.
    const Entry *set(uint64_t hash) const { return entries_ + (hash >> shift_) * kWays; }

    void add(const Entry &entry) {
        // Grow early: a full set would evict pieces that recur.
        if (used_ > size_ / 4 && size_ < max_entries_) grow();
        insert(entry);
    }

private:
    static constexpr size_t kFirstEntries = 4096 / sizeof(Entry), kLine = 64;

    void insert(const Entry &entry) {
        Entry *set = entries_ + (entry.hash() >> shift_) * kWays;
        used_ += set[kWays - 1].is_none();
        std::memmove(set + 1, set, (kWays - 1) * sizeof(Entry));
        set[0] = entry;
    }
    // Allocates this many empty entries, aligned to cache lines. `held` then owns the old entries.
    void replace(size_t entries, Buffer<char> &held) {
        size_t bytes = entries * sizeof(Entry);
        char *memory = held.reserve(bytes + kLine);
        memory += -reinterpret_cast<uintptr_t>(memory) % kLine;
        entries_ = static_cast<Entry *>(std::memset(memory, 0, bytes));
        held_.swap(held);
        size_ = entries;
        used_ = 0;
        shift_ = 64 - __builtin_ctzll(entries / kWays);
    }
    void grow() {
        const Entry *known = entries_;
        size_t count = size_;
        Buffer<char> held(memory_);
        replace(2 * count, held);
        for (size_t i = count; i-- > 0;)  // the older entries of a set first
            if (!known[i].is_none()) insert(known[i]);
    }

    Memory &memory_;
    Buffer<char> held_;
    Entry *entries_ = nullptr;
    // used_: the number of filled entries. An entry that was evicted and added again does not
    // count, so a repeated text does not allocate memory.
    size_t size_ = 0, used_ = 0, max_entries_ = 0;
    int shift_ = 0;
};

}  // namespace accp::token
