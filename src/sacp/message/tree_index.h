// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The children of objects and arrays, found without looking through them: a large one is indexed
// when it is asked for the first time. So that many references into one do not cost its length
// each.
#pragma once

#include "base/slots.h"
#include "value/tree.h"

namespace accp::plan {

class TreeIndex {
public:
    explicit TreeIndex(Memory &memory);

    // Forgets the tree before.
    void begin(value::TreeView tree);

    // A member by its key, or an element by its number from 0; 0: there is none.
    uint32_t find(uint32_t parent, std::string_view label);
    // The same along labels parted by dots.
    uint32_t find_labels(uint32_t node, std::string_view labels);

private:
    static constexpr uint32_t kMinIndexed = 16;

    uint32_t find_member(uint32_t object, std::string_view key);
    uint32_t find_element(uint32_t array, uint32_t number);
    uint64_t hash(std::string_view key, uint32_t parent) const;

    value::TreeView tree_ = {};
    Slots members_;              // parent and child, by its key; first children mark their parents
    Slots arrays_;               // array, and one more than where its elements begin
    Buffer<uint32_t> elements_;  // nodes
    uint64_t seed_;
};

}  // namespace accp::plan
