// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capability_members.h.
#include "sacp/agents/capability_members.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "value/number.h"

namespace accp::plan {

namespace {

// Of an array: are all its elements what is_one() takes?
template <class IsOne>
bool are_all(value::TreeView tree, uint32_t array, IsOne is_one) {
    if (tree[array].kind != ACCP_ARRAY) return false;
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next)
        if (!is_one(i)) return false;
    return true;
}

// An integer of at least 1.
bool is_count(value::TreeView tree, uint32_t node) {
    return tree[node].kind == ACCP_INT && read_number(tree.string(node)) >= 1;
}

bool has_shape(value::TreeView tree, uint32_t node, MemberShape shape) {
    const auto is_text = [tree](uint32_t i) { return tree[i].kind == ACCP_STRING; };
    const auto is_finite = [tree](uint32_t i) {
        return value::is_number(tree[i].kind) && std::isfinite(read_number(tree.string(i)));
    };
    switch (shape) {
        case MemberShape::kText: return is_text(node);
        case MemberShape::kName: return is_text(node) && tree[node].len;
        case MemberShape::kTexts: return are_all(tree, node, is_text);
        case MemberShape::kNumber: return value::is_number(tree[node].kind);
        case MemberShape::kNumbers: return are_all(tree, node, is_finite);
        case MemberShape::kVector: return are_all(tree, node, is_finite) && tree[node].len;
        case MemberShape::kCount: return is_count(tree, node);
    }
    return false;
}

const char *fault_of(MemberShape shape) {
    switch (shape) {
        case MemberShape::kText: return " is not a string";
        case MemberShape::kName: return " is not a string, or empty";
        case MemberShape::kTexts: return " is not an array of strings";
        case MemberShape::kNumber: return " is not a number";
        case MemberShape::kNumbers: return " is not an array of numbers in the range of doubles";
        case MemberShape::kVector:
            return " is not an array of numbers in the range of doubles, or empty";
        case MemberShape::kCount: return " is not an integer of at least 1";
    }
    return "";
}

}  // namespace

void find_members(value::TreeView tree, uint32_t map, std::span<const MemberRule> members,
                  uint32_t *nodes) {
    for (size_t m = 0; m < members.size(); ++m) nodes[m] = 0;
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
        for (size_t m = 0; m < members.size(); ++m)
            if (tree.key(i) == members[m].name) nodes[m] = i;
}

bool check_shapes(value::TreeView tree, std::span<const MemberRule> members, const uint32_t *nodes,
                  Verdict &verdict) {
    for (size_t m = 0; m < members.size(); ++m) {
        if (!nodes[m] || has_shape(tree, nodes[m], members[m].shape)) continue;
        return verdict.refuse_member(Code::kINVALID_TYPE, members[m].name,
                                     fault_of(members[m].shape));
    }
    return true;
}

double read_number(std::string_view text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc::result_out_of_range) return number;
    value::Decimal decimal;
    const bool is_small =
        value::read_decimal(text, decimal)
            ? decimal.exponent + static_cast<int64_t>(decimal.digit_count) < 0
            : text.find('-', 1) != std::string_view::npos;  // an exponent beyond all bounds
    if (is_small) return 0;
    return text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
}

}  // namespace accp::plan
