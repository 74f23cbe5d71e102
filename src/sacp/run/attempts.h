// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Attempts at tool calls that are running or waiting, ordered by time: a binary heap, in which
// each attempt has its position.
#pragma once

#include "base/memory.h"

namespace accp::sacp {

constexpr uint64_t kNever = UINT64_MAX;
constexpr uint32_t kNoAttempt = UINT32_MAX;

struct Attempt {
    enum Stage : uint8_t {
        kFree,
        kQueued,  // to be called
        kCalled,  // until `at`, its timeout
        kWaiting  // until `at`, when it is called again
    };

    Stage stage = kFree;
    uint32_t part = 0;
    uint32_t heap = 0;  // position in the heap, from 1; 0: not in it
    uint64_t number = 0;
    uint64_t at = 0;
};

// Each attempt has a fixed index and a unique number with the index in its low half.
class Attempts {
public:
    explicit Attempts(Memory &memory) : attempts_(memory), free_(memory), heap_(memory) {}

    Attempt &operator[](uint32_t index) { return attempts_[index]; }
    const Attempt &operator[](uint32_t index) const { return attempts_[index]; }
    uint32_t size() const { return static_cast<uint32_t>(attempts_.size()); }

    uint32_t add(uint32_t part) {
        uint32_t index;
        if (free_.empty()) {
            index = size();
            attempts_.push({});
            free_.reserve(attempts_.size());  // so that remove() does not allocate
            heap_.reserve(attempts_.size());
        } else {
            index = free_[free_.size() - 1];
            free_.resize_down(free_.size() - 1);
        }
        attempts_[index].part = part;
        renumber(index);
        return index;
    }
    void remove(uint32_t index) {
        clear_timer(index);
        attempts_[index].stage = Attempt::kFree;
        free_.push(index);
    }
    void renumber(uint32_t index) { attempts_[index].number = ++count_ << 32 | index; }

    // Finds an attempt by a number from outside. Returns kNoAttempt if it is unknown or gone.
    uint32_t find(uint64_t number) const {
        const auto index = static_cast<uint32_t>(number);
        const bool there = index < attempts_.size() && attempts_[index].number == number &&
                           attempts_[index].stage != Attempt::kFree;
        return there ? index : kNoAttempt;
    }

    void set_timer(uint32_t index, uint64_t at) {
        attempts_[index].at = at;
        heap_.push(index);
        sift_up(heap_.size(), index);
    }
    void clear_timer(uint32_t index);
    // The attempt that is due first, or kNoAttempt.
    uint32_t first() const { return heap_.empty() ? kNoAttempt : heap_[0]; }

private:
    void place_in_heap(size_t slot, uint32_t index) {  // slot: from 1
        heap_[slot - 1] = index;
        attempts_[index].heap = static_cast<uint32_t>(slot);
    }
    void sift_up(size_t slot, uint32_t index);
    void sift_down(size_t slot, uint32_t index);

    Buffer<Attempt> attempts_;
    Buffer<uint32_t> free_, heap_;
    uint64_t count_ = 0;
};

inline void Attempts::sift_up(size_t slot, uint32_t index) {
    for (; slot > 1 && attempts_[heap_[slot / 2 - 1]].at > attempts_[index].at; slot /= 2)
        place_in_heap(slot, heap_[slot / 2 - 1]);
    place_in_heap(slot, index);
}

inline void Attempts::sift_down(size_t slot, uint32_t index) {
    const size_t count = heap_.size();
    for (size_t child; (child = 2 * slot) <= count; slot = child) {
        if (child < count && attempts_[heap_[child]].at < attempts_[heap_[child - 1]].at) ++child;
        if (attempts_[heap_[child - 1]].at >= attempts_[index].at) break;
        place_in_heap(slot, heap_[child - 1]);
    }
    place_in_heap(slot, index);
}

inline void Attempts::clear_timer(uint32_t index) {
    const size_t slot = attempts_[index].heap;
    if (!slot) return;
    attempts_[index].heap = 0;
    const uint32_t last = heap_[heap_.size() - 1];
    heap_.resize_down(heap_.size() - 1);
    if (last == index) return;
    sift_up(slot, last);
    sift_down(attempts_[last].heap, last);
}

}  // namespace accp::sacp
