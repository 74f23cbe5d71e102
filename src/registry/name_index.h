// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A hash index from names to indices of an array. It uses open addressing with a seed that a peer
// cannot predict, so a lookup takes one or two steps for any names.
#pragma once

#include <cstring>
#include <string_view>

#include "base/memory.h"
#include "base/random.h"

namespace accp::registry {

class NameIndex {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    explicit NameIndex(Memory &memory) : slots_(memory), seed_(random_seed()) {}

    // Reserves space for `count` names, and removes the old ones.
    void reset(size_t count) {
        size_t slots = 8;
        while (slots < 2 * count + 1) slots *= 2;
        slots_.clear();
        std::memset(slots_.reserve(slots), 0xFF, slots * sizeof(uint32_t));
        slots_.advance(slots);
    }

    // Returns the index under this name and salt for which is_it(index) is true, or kNone. The salt
    // separates equal names of different owners.
    template <class IsIt>
    uint32_t find(std::string_view name, uint64_t salt, IsIt is_it) const {
        for (uint64_t at = hash(name, salt);; ++at) {
            uint32_t index = slots_[at & (slots_.size() - 1)];
            if (index == kNone || is_it(index)) return index;
        }
    }

    void add(std::string_view name, uint64_t salt, uint32_t index) {
        uint64_t at = hash(name, salt);
        while (slots_[at & (slots_.size() - 1)] != kNone) ++at;
        slots_[at & (slots_.size() - 1)] = index;
    }

private:
    uint64_t hash(std::string_view name, uint64_t salt) const {
        return seeded_hash(name.data(), name.size(), seed_ + salt * 0x9E3779B97F4A7C15);
    }

    Buffer<uint32_t> slots_;
    uint64_t seed_;
};

}  // namespace accp::registry
