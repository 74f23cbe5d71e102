// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the members of an agent's entry, and of a query, have to be.
#pragma once

#include <span>
#include <string_view>

#include "sacp/message/verdict.h"
#include "value/tree.h"

namespace accp::plan {

enum class MemberShape : uint8_t { kText, kName, kTexts, kNumber, kNumbers, kVector, kCount };

struct MemberRule {
    std::string_view name;
    MemberShape shape;
};

// The node of each member of `map`, 0 where it is not there. Duplicates there are none.
void find_members(value::TreeView tree, uint32_t map, std::span<const MemberRule> members,
                  uint32_t *nodes);
// INVALID_TYPE for the first that is there and not what it has to be.
bool check_shapes(value::TreeView tree, std::span<const MemberRule> members, const uint32_t *nodes,
                  Verdict &verdict);

// A JSON number as a double: infinite beyond the range of doubles, 0 below it.
double read_number(std::string_view text);

// Calls use(text) for each element of an array of strings.
template <class Use>
void each_text(value::TreeView tree, uint32_t array, Use use) {
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next) use(tree.string(i));
}

}  // namespace accp::plan
