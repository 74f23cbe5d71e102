// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Attempts at calls that are going on, or wait: which ends first, or goes on first.
#pragma once

#include "base/memory.h"

namespace accp::sacp {

constexpr uint64_t kNever = UINT64_MAX;
constexpr uint32_t kNoAttempt = UINT32_MAX;

struct Attempt {
    enum Stage : uint8_t {
        kFree,
        kQueued,  // to be called
        kCalled,  // until `at`, when its time is over
        kWaits    // until `at`, when it is called again
    };

    Stage stage = kFree;
    uint32_t part = 0;
    uint32_t heap = 0;  // its place there, from 1; 0: it is not there
    uint64_t number = 0;
    uint64_t at = 0;
};

// Each has a place that does not move, and a number that is never another's: the place in its low
// half.
class Attempts {
public:
    explicit Attempts(Memory &memory) : attempts_(memory), free_(memory), heap_(memory) {}

    Attempt &operator[](uint32_t place) { return attempts_[place]; }
    const Attempt &operator[](uint32_t place) const { return attempts_[place]; }
    uint32_t size() const { return static_cast<uint32_t>(attempts_.size()); }

    uint32_t add(uint32_t part) {
        uint32_t place;
        if (free_.empty()) {
            place = size();
            attempts_.push({});
            free_.reserve(attempts_.size());  // so that remove() takes no memory
            heap_.reserve(attempts_.size());
        } else {
            place = free_[free_.size() - 1];
            free_.resize_down(free_.size() - 1);
        }
        attempts_[place].part = part;
        renumber(place);
        return place;
    }
    void remove(uint32_t place) {
        disarm(place);
        attempts_[place].stage = Attempt::kFree;
        free_.push(place);
    }
    void renumber(uint32_t place) { attempts_[place].number = ++count_ << 32 | place; }

    // Of a number that somebody names; kNoAttempt: there is none, or no more.
    uint32_t find(uint64_t number) const {
        const auto place = static_cast<uint32_t>(number);
        const bool there = place < attempts_.size() && attempts_[place].number == number &&
                           attempts_[place].stage != Attempt::kFree;
        return there ? place : kNoAttempt;
    }

    void arm(uint32_t place, uint64_t at) {
        attempts_[place].at = at;
        heap_.push(place);
        rise(heap_.size(), place);
    }
    void disarm(uint32_t place);
    // The first to be due; kNoAttempt: none is.
    uint32_t first() const { return heap_.empty() ? kNoAttempt : heap_[0]; }

private:
    void put(size_t slot, uint32_t place) {  // from 1
        heap_[slot - 1] = place;
        attempts_[place].heap = static_cast<uint32_t>(slot);
    }
    void rise(size_t slot, uint32_t place);
    void sink(size_t slot, uint32_t place);

    Buffer<Attempt> attempts_;
    Buffer<uint32_t> free_, heap_;
    uint64_t count_ = 0;
};

}  // namespace accp::sacp
