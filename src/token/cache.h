// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How many tokens the pieces have that were met lately. An entry is 16 bytes: the piece itself, up
// to 15 bytes, and in the last byte its length and its count. Two entries lie side by side where a
// piece may stand; a new one takes the place of the older. Bounded, and never wrong: it compares
// the whole piece, so that whoever chooses the text can only make it useless. It begins small and
// grows as it is filled, so that a counter that meets few pieces holds few bytes.
#pragma once

#include <cstring>

#include "base/memory.h"

namespace accp::token {

class PieceCache {
public:
    static constexpr size_t kLongest = 15;

    explicit PieceCache(Memory &memory) : memory_(memory), entries_(memory) {}

    // max_entries: a power of two, at least 4.
    void open(uint32_t max_entries) {
        max_entries_ = max_entries;
        Buffer<Entry> none(memory_);
        replace(max_entries < kFirstEntries ? max_entries : kFirstEntries, none);
    }

    struct Entry {
        uint64_t low, high;  // the high byte of `high`: length | count << 4
    };

    // The key of a piece of 1 to kLongest bytes, of which 16 may be read.
    static Entry key_padded(const char *piece, size_t len) {
        Entry entry;
        std::memcpy(&entry, piece, 16);
        uint64_t keep_low = len >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * len) - 1;
        uint64_t keep_high = len <= 8 ? 0 : (uint64_t{1} << 8 * (len - 8)) - 1;
        return {entry.low & keep_low, (entry.high & keep_high) | uint64_t{len} << 56};
    }
    static Entry key(const char *piece, size_t len) {
        char padded[16];
        std::memcpy(padded, piece, len);
        std::memset(padded + len, 0, sizeof padded - len);
        return key_padded(padded, len);
    }

    // The count, or 0 where the piece is not known.
    uint32_t find(const Entry &key) const {
        const Entry *pair = entries_.data() + place(key);
        if (same(pair[0], key)) return static_cast<uint32_t>(pair[0].high >> 60);
        if (same(pair[1], key)) return static_cast<uint32_t>(pair[1].high >> 60);
        return 0;
    }
    void add(const Entry &key, uint32_t count) {
        if (added_ >= entries_.size() && entries_.size() < max_entries_) grow();
        ++added_;
        insert(key, count);
    }

private:
    static constexpr uint32_t kFirstEntries = 256;

    void insert(const Entry &key, uint32_t count) {
        Entry *pair = entries_.data() + place(key);
        pair[1] = pair[0];
        pair[0] = {key.low, key.high | uint64_t{count} << 60};
    }
    // Makes `entries_` this many empty ones; answers those that were there in `known`.
    void replace(size_t entries, Buffer<Entry> &known) {
        std::memset(static_cast<void *>(known.reserve(entries)), 0, entries * sizeof(Entry));
        known.advance(entries);
        entries_.swap(known);
        shift_ = 64 - __builtin_ctzll(entries) + 1;
    }
    void grow() {
        Buffer<Entry> known(memory_);
        replace(2 * entries_.size(), known);
        for (size_t i = known.size(); i-- > 0;)  // the older of two before the newer
            if (known[i].high)
                insert({known[i].low, known[i].high << 4 >> 4},
                       static_cast<uint32_t>(known[i].high >> 60));
    }
    static bool same(const Entry &entry, const Entry &key) {
        return ((entry.low ^ key.low) | (entry.high ^ key.high) << 4) == 0;
    }
    size_t place(const Entry &key) const {
        uint64_t hash = (key.low ^ (key.high * 0x9E3779B97F4A7C15)) * 0xC2B2AE3D27D4EB4F;
        return (hash ^ hash << 29) >> shift_ << 1;
    }

    Memory &memory_;
    Buffer<Entry> entries_;
    size_t max_entries_ = 0;
    uint64_t added_ = 0;
    int shift_ = 0;
};

}  // namespace accp::token
