// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The names of texts: which there are, and how often.
#pragma once

#include "base/arena.h"

namespace accp::context {

struct NameCount {
    std::string_view name;  // where it stands first
    uint32_t hash = 0;
    uint32_t times = 0;
};

// Linear. Bounded by what it was made for: what has no room is not there. The texts live as long.
class NameSet {
public:
    NameSet(Arena &arena, size_t bytes);

    // The count of a name, made if it was not there; NULL where there is no room.
    NameCount *add(std::string_view name);
    void add_all(std::string_view text);
    bool has(std::string_view name) const;

private:
    NameCount *place(std::string_view name, uint32_t hash) const;

    size_t places_, count_ = 0;
    NameCount *names_;
};

}  // namespace accp::context
