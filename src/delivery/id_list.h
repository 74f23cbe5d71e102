// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds one of a few thousand ids by a scan of their hashes.
#pragma once

#include "base/memory.h"
#include "base/random.h"

namespace accp::delivery {

class IdList {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    explicit IdList(Memory &memory) : hashes_(memory), seed_(random_seed()) {}

    uint64_t hash(const accp_text &id) const { return seeded_hash(id.text, id.len, seed_); }
    uint32_t size() const { return static_cast<uint32_t>(hashes_.size()); }

    // Returns the first index from `from` on whose id has this hash.
    uint32_t find(uint64_t hash, uint32_t from = 0) const {
        for (uint32_t i = from; i < size(); ++i)
            if (hashes_[i] == hash) return i;
        return kNone;
    }
    void add(uint64_t hash) { hashes_.push(hash); }
    void reserve() { hashes_.reserve(1); }
    void replace(uint32_t i, uint64_t hash) { hashes_[i] = hash; }
    // Removes an entry. The last entry takes its place.
    void remove(uint32_t i) {
        hashes_[i] = hashes_[size() - 1];
        hashes_.resize_down(size() - 1);
    }

private:
    Buffer<uint64_t> hashes_;
    uint64_t seed_;
};

}  // namespace accp::delivery
