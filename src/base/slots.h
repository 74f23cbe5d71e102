// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A hash table of numbers other than 0, with open addressing. The owner passes the hash of a number
// and a test for equality to each call.
#pragma once

#include <cstring>

#include "base/memory.h"

namespace accp {

class Slots {
public:
    explicit Slots(Memory &memory) : memory_(&memory) {}
    Slots(const Slots &) = delete;
    Slots &operator=(const Slots &) = delete;
    ~Slots() { memory_->release(slots_, capacity_ * sizeof(uint64_t)); }

    uint64_t count() const { return count_; }

    // Makes space for `extra` more numbers. If it throws, the table is unchanged.
    template <class HashOf>
    void reserve(size_t extra, HashOf hash_of) {
        if (2 * (count_ + extra) <= capacity_) return;
        size_t capacity = capacity_ ? capacity_ : 8, old_capacity = capacity_;
        while (capacity < 2 * (count_ + extra)) capacity *= 2;
        uint64_t *slots = static_cast<uint64_t *>(memory_->allocate(capacity * sizeof(uint64_t))),
                 *old = slots_;
        std::memset(slots, 0, capacity * sizeof(uint64_t));
        slots_ = slots;
        capacity_ = capacity;
        for (size_t i = 0; i < old_capacity; ++i)
            if (old[i]) slots_[place(hash_of(old[i]), [](uint64_t) { return false; })] = old[i];
        memory_->release(old, old_capacity * sizeof(uint64_t));
    }

    // Returns the number that is_it() accepts, or 0.
    template <class IsIt>
    uint64_t find(uint64_t hash, IsIt is_it) const {
        return capacity_ ? slots_[place(hash, is_it)] : 0;
    }
    // Adds a number that is not in the table. Call reserve() first.
    void add(uint64_t hash, uint64_t number) {
        slots_[place(hash, [](uint64_t) { return false; })] = number;
        ++count_;
    }
    // Removes the number that is_it() accepts, which must be in the table. Moves the entries of the
    // same probe sequence up.
    template <class HashOf, class IsIt>
    void remove(uint64_t hash, HashOf hash_of, IsIt is_it) {
        const size_t mask = capacity_ - 1;
        size_t gap = place(hash, is_it);
        for (size_t at = (gap + 1) & mask; slots_[at]; at = (at + 1) & mask) {
            const size_t home = hash_of(slots_[at]) & mask;
            if (((at - home) & mask) < ((at - gap) & mask)) continue;
            slots_[gap] = slots_[at];
            gap = at;
        }
        slots_[gap] = 0;
        --count_;
    }
    // Removes all numbers and keeps the memory.
    void clear() {
        if (slots_) std::memset(slots_, 0, capacity_ * sizeof(uint64_t));
        count_ = 0;
    }
    // The same, but frees memory above `kept_bytes`. Costs nothing if the table is empty.
    void recycle(size_t kept_bytes) {
        if (!count_) return;
        if (capacity_ * sizeof(uint64_t) <= kept_bytes) return clear();
        memory_->release(slots_, capacity_ * sizeof(uint64_t));
        slots_ = nullptr;
        capacity_ = count_ = 0;
    }
    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i < capacity_; ++i)
            if (slots_[i]) visit(slots_[i]);
    }

private:
    template <class IsIt>
    size_t place(uint64_t hash, IsIt is_it) const {
        size_t at = hash & (capacity_ - 1);
        while (slots_[at] && !is_it(slots_[at])) at = (at + 1) & (capacity_ - 1);
        return at;
    }

    Memory *memory_;
    uint64_t *slots_ = nullptr;
    size_t capacity_ = 0;
    size_t count_ = 0;
};

}  // namespace accp
