// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A Bloom filter for each session, made from its index of mids at the first lookup. Nearly every
// lookup is for a new mid; with a filter it reads no row. All filters of a store together take at
// most kMaxFilterBytes. Without a filter, lookups are only slower.
#pragma once

#include <cstring>

#include "base/random.h"
#include "store/store.h"

namespace accp::store {

class MidFilters {
public:
    explicit MidFilters(Memory &memory) : memory_(&memory), seed_(random_seed()) {}
    MidFilters(const MidFilters &) = delete;
    MidFilters &operator=(const MidFilters &) = delete;
    ~MidFilters() { clear(); }

    // Reports whether there is a filter for the current index of the session.
    bool has(const SessionRow &row) const { return is_of(slot(row), row); }

    // Returns false only if the word is not in the index. Requires has().
    bool may_have(const SessionRow &row, uint64_t word) const {
        uint64_t bits = 0;
        const Filter &filter = slot(row);
        size_t at = place(filter, word, bits);
        return (filter.blocks[at] & bits) == bits;
    }

    // Makes the filter of a session from all words of its index, with room to double.
    void make(const SessionRow &row, const Buffer<uint64_t> &words) {
        size_t count = kMinBlocks;
        while (count < words.size() / kWordsOfBlock * 2 && count < kMaxBlocks) count *= 2;
        if (bytes_ + count * sizeof(uint64_t) > kMaxFilterBytes) clear();
        drop(slot(row));
        uint64_t *blocks = static_cast<uint64_t *>(memory_->allocate(count * sizeof(uint64_t)));
        std::memset(blocks, 0, count * sizeof(uint64_t));
        bytes_ += count * sizeof(uint64_t);
        slot(row) = {row.number, row.fence, row.runs, 0, count, blocks};
        add(slot(row), words);
    }

    // Adds words to the filter. Call this after they were added to the index. If the filter is too
    // small for them, the next lookup makes a new one.
    void extend(const SessionRow &before, const SessionRow &after, const Buffer<uint64_t> &words) {
        Filter &filter = slot(before);
        if (!is_of(filter, before)) return;
        if (filter.count < kMaxBlocks && filter.words + words.size() > filter.count * kWordsOfBlock)
            return;
        add(filter, words);
        filter.runs = after.runs;
    }

private:
    struct Filter {
        uint64_t number, fence, runs;  // the state of the index
        uint64_t words;
        size_t count;
        uint64_t *blocks;
    };
    static constexpr size_t kSlots = 1024;
    static constexpr size_t kWordsOfBlock =
        4;  // 16 bits a word: 1 of 200 lookups is a false positive
    static constexpr size_t kMinBlocks = 512;
    static constexpr size_t kMaxBlocks = kMaxFilterBytes / 32 / sizeof(uint64_t);

    static bool is_of(const Filter &filter, const SessionRow &row) {
        return filter.blocks && filter.number == row.number && filter.fence == row.fence &&
               filter.runs == row.runs;
    }
    Filter &slot(const SessionRow &row) { return slots_[row.number % kSlots]; }
    const Filter &slot(const SessionRow &row) const { return slots_[row.number % kSlots]; }

    size_t place(const Filter &filter, uint64_t word, uint64_t &bits) const {
        uint64_t hash = seeded_hash(reinterpret_cast<const char *>(&word), sizeof word, seed_);
        for (int i = 0; i < 5; ++i) bits |= uint64_t{1} << (hash >> 6 * i & 63);
        return (hash >> 32) & (filter.count - 1);
    }
    void add(Filter &filter, const Buffer<uint64_t> &words) {
        for (size_t i = 0; i < words.size(); ++i) {
            uint64_t bits = 0;
            size_t at = place(filter, words[i], bits);
            filter.blocks[at] |= bits;
        }
        filter.words += words.size();
    }
    void drop(Filter &filter) {
        memory_->release(filter.blocks, filter.count * sizeof(uint64_t));
        bytes_ -= filter.count * sizeof(uint64_t);
        filter = {};
    }
    void clear() {
        for (Filter &filter : slots_) drop(filter);
    }

    Memory *memory_;
    uint64_t seed_;
    size_t bytes_ = 0;
    Filter slots_[kSlots] = {};  // by the session's number
};

}  // namespace accp::store
