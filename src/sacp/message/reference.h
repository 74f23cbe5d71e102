// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings in params that stand for something else: what a step made, what the context says, what a
// message under this one brought (SACP-RULES R30).
//
// The children of objects and arrays, found without looking through them: a large one is indexed
// when it is asked for the first time. So that many references into one do not cost its length
// each.
#pragma once

#include "base/slots.h"
#include "value/tree.h"

namespace accp::sacp {

struct Reference {
    enum Kind : uint8_t {
        kText,     // no reference
        kEscaped,  // text that is written without its first byte
        kStep,
        kCtx,
        kSub
    };
    Kind kind;
    std::string_view labels;  // parted by dots

    bool is_reference() const { return kind != kText && kind != kEscaped; }
    // No label is empty?
    bool is_sound() const {
        return !labels.empty() && labels.front() != '.' && labels.back() != '.' &&
               labels.find("..") == labels.npos;
    }
};

inline Reference read_reference(std::string_view text) {
    if (text.empty() || text[0] != '$') return {Reference::kText, {}};
    if (text.starts_with("$step.")) return {Reference::kStep, text.substr(6)};
    if (text.starts_with("$ctx.")) return {Reference::kCtx, text.substr(5)};
    if (text.starts_with("$sub.")) return {Reference::kSub, text.substr(5)};
    return {text.starts_with("$$") ? Reference::kEscaped : Reference::kText, {}};
}

// Takes the first label off.
inline std::string_view take_label(std::string_view &labels) {
    const size_t dot = labels.find('.');
    const std::string_view label = labels.substr(0, dot);
    labels = dot == labels.npos ? std::string_view() : labels.substr(dot + 1);
    return label;
}

// A number without leading zeros, from `min` on; false for anything else.
inline bool read_label_number(std::string_view label, uint32_t min, uint32_t &out) {
    if (label.empty() || label.size() > 9 || (label[0] == '0' && label.size() > 1)) return false;
    out = 0;
    for (char c : label) {
        if (c < '0' || c > '9') return false;
        out = out * 10 + static_cast<uint32_t>(c - '0');
    }
    return out >= min;
}

class TreeIndex {
public:
    explicit TreeIndex(Memory &memory);

    // Forgets the tree before.
    void reset(value::TreeView tree);

    // A member by its key, or an element by its number from 0; 0: there is none.
    uint32_t find(uint32_t parent, std::string_view label);
    // The same along labels parted by dots.
    uint32_t find_path(uint32_t node, std::string_view labels);

private:
    static constexpr uint32_t kMinIndexed = 16;

    uint32_t find_member(uint32_t object, std::string_view key);
    uint32_t find_element(uint32_t array, uint32_t number);
    uint64_t hash(std::string_view key, uint32_t parent) const;

    value::TreeView tree_ = {};
    Slots members_;              // parent and child, by its key; first children mark their parents
    Slots arrays_;               // array, and one more than where its elements reset
    Buffer<uint32_t> elements_;  // nodes
    uint64_t seed_;
};

}  // namespace accp::sacp
