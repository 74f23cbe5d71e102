// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The distinct names of some texts, how often each is said, and which item of warm it is.
#pragma once

#include "base/arena.h"
#include "context/warm.h"

namespace accp::context {

inline constexpr uint32_t kUnknown = UINT32_MAX;  // no item of warm has it

struct Occurrence {
    std::string_view name;
    uint32_t hash = 0;
    uint32_t item = kUnknown;  // in warm
    uint32_t count = 0;        // in the text at hand
    Item now;                  // what warm has of it, or would have
};

class Occurrences {
public:
    // Knows the names of `warm`, which stays as it is meanwhile.
    Occurrences(Arena &arena, const Warm &warm);

    // The entry of a name: one that was there, or a new one; NULL where there are too many.
    Occurrence *add(std::string_view name);
    Occurrence *find(std::string_view name) const;
    uint32_t size() const { return count_; }
    Occurrence &operator[](uint32_t i) { return entries_[i]; }

private:
    // a power of two, and twice as many as there are entries
    static constexpr uint32_t kPlaces = 2048;

    uint32_t place(std::string_view name, uint32_t hash) const;

    Occurrence *entries_;
    uint16_t *places_;
    uint32_t count_ = 0;
};

}  // namespace accp::context
