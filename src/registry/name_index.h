// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From a name to a place in some array, in one or two steps whatever the names are: open addressing
// under a seed that a peer does not know.
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

    // Room for `count` names; forgets the old ones.
    void reset(size_t count) {
        size_t slots = 8;
        while (slots < 2 * count + 1) slots *= 2;
        slots_.clear();
        std::memset(slots_.reserve(slots), 0xFF, slots * sizeof(uint32_t));
        slots_.advance(slots);
    }

    // The place that is_it(place) accepts among those under this name and this salt (which tells
    // equal names in different rooms apart), or kNone.
    template <class IsIt>
    uint32_t find(std::string_view name, uint64_t salt, IsIt is_it) const {
        for (uint64_t at = hash(name, salt);; ++at) {
            uint32_t place = slots_[at & (slots_.size() - 1)];
            if (place == kNone || is_it(place)) return place;
        }
    }

    void add(std::string_view name, uint64_t salt, uint32_t place) {
        uint64_t at = hash(name, salt);
        while (slots_[at & (slots_.size() - 1)] != kNone) ++at;
        slots_[at & (slots_.size() - 1)] = place;
    }

private:
    uint64_t hash(std::string_view name, uint64_t salt) const {
        return seeded_hash(name.data(), name.size(), seed_ + salt * 0x9E3779B97F4A7C15);
    }

    Buffer<uint32_t> slots_;
    uint64_t seed_;
};

}  // namespace accp::registry
