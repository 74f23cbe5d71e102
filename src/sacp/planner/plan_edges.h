// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A plan of version 0.1 as a graph: each step waits for those that the part before it ends with.
#pragma once

#include <span>

#include "sacp/library/scopes.h"

namespace accp::plan {

// Two parallels of n branches, one behind the other, have n * n edges.
constexpr size_t kMaxEdges = 1 << 20;

class PlanEdges {
public:
    explicit PlanEdges(Memory &memory)
        : steps_(memory),
          numbers_(memory),
          before_(memory),
          last_(memory),
          waits_(memory),
          ends_(memory) {}

    // False: it has more than kMaxEdges.
    bool read(const Scopes &scopes, const Scope &scope);

    // The parts that are steps, in their order; what they are numbered by.
    std::span<const uint32_t> steps() const { return {steps_.data(), steps_.size()}; }
    // The numbers of the steps that one waits for, rising.
    std::span<const uint32_t> waits(uint32_t step) const {
        const uint32_t begin = step ? ends_[step - 1] : 0;
        return {waits_.data() + begin, ends_[step] - begin};
    }

private:
    uint32_t find_before(const Scopes &scopes, uint32_t part) const;
    void add_ends(const Scopes &scopes, uint32_t part);

    uint32_t first_ = 0;      // part of the scope
    Buffer<uint32_t> steps_;  // parts
    // Of each part: how many steps are before it, which part is before it in its list, which is the
    // last in it.
    Buffer<uint32_t> numbers_, before_, last_;
    Buffer<uint32_t> waits_, ends_;
};

}  // namespace accp::plan
