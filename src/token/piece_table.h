// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A cache of what is known of pieces that were met lately. A few entries lie side by side where a
// piece may stand; a new one takes the place of the oldest. Bounded, and never wrong: an entry has
// the whole piece, so that whoever chooses the text can only make it useless. It begins small and
// grows as it is filled, so that a counter that meets few pieces holds few bytes.
#pragma once

#include <cstring>

#include "base/memory.h"

namespace accp::token {

// An Entry is plain data, a power of two of bytes; all zeros, it is none. It has kWays, how many
// stand side by side (a power of two), hash(), whose high bits say where, and is_none().
template <class Entry>
class PieceTable {
public:
    static constexpr size_t kWays = Entry::kWays;

    explicit PieceTable(Memory &memory) : memory_(memory), held_(memory) {}

    // max_entries: 0 or a power of two; there are two sets at least. Takes memory.
    void open(size_t max_entries) {
        max_entries_ = max_entries < 2 * kWays ? 2 * kWays : max_entries;
        Buffer<char> none(memory_);
        replace(max_entries_ < kFirstEntries ? max_entries_ : kFirstEntries, none);
    }
    bool is_open() const { return entries_; }

    // The kWays entries among which one of this hash is, the newest first.
    const Entry *set(uint64_t hash) const { return entries_ + (hash >> shift_) * kWays; }

    void add(const Entry &entry) {
        // grow early: a set that is too full would evict pieces that recur
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
    // Makes this many empty entries, on whole lines of the processor's cache; `held` is then the
    // memory of those before.
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
        for (size_t i = count; i-- > 0;)  // the older of a set before the newer
            if (!known[i].is_none()) insert(known[i]);
    }

    Memory &memory_;
    Buffer<char> held_;
    Entry *entries_ = nullptr;
    // used_: entries that are filled. What is pushed out and added again does not make a table
    // grow, so a text that comes again takes no memory.
    size_t size_ = 0, used_ = 0, max_entries_ = 0;
    int shift_ = 0;
};

}  // namespace accp::token
