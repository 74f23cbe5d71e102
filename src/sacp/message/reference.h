// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References: strings in params that refer to the output of a step, the context or the result of a
// subtask (SACP-RULES R30).
#pragma once

#include "base/slots.h"
#include "value/tree.h"

namespace accp::sacp {

struct Reference {
    enum Kind : uint8_t {
        kText,     // not a reference
        kEscaped,  // text with a doubled `$`: the first one is dropped
        kStep,
        kCtx,
        kSub
    };
    Kind kind;
    std::string_view labels;  // separated by dots

    bool is_reference() const { return kind != kText && kind != kEscaped; }
    // Returns whether no label is empty.
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

// Removes and returns the first label.
inline std::string_view take_label(std::string_view &labels) {
    const size_t dot = labels.find('.');
    const std::string_view label = labels.substr(0, dot);
    labels = dot == labels.npos ? std::string_view() : labels.substr(dot + 1);
    return label;
}

// Reads a number of at least `min` without leading zeros. Returns false for anything else.
inline bool read_label_number(std::string_view label, uint32_t min, uint32_t &out) {
    if (label.empty() || label.size() > 9 || (label[0] == '0' && label.size() > 1)) return false;
    out = 0;
    for (char c : label) {
        if (c < '0' || c > '9') return false;
        out = out * 10 + static_cast<uint32_t>(c - '0');
    }
    return out >= min;
}

// Finds children of objects and arrays. A large container is indexed at its first lookup, so that
// many references into it do not each cost its length.
class TreeIndex {
public:
    explicit TreeIndex(Memory &memory);

    // Drops the previous tree.
    void reset(value::TreeView tree);

    // Finds a member by its key or an element by its index. Returns 0 if there is none.
    uint32_t find(uint32_t parent, std::string_view label);
    // Follows labels that are separated by dots.
    uint32_t find_path(uint32_t node, std::string_view labels);

private:
    static constexpr uint32_t kMinIndexed = 16;

    uint32_t find_member(uint32_t object, std::string_view key);
    uint32_t find_element(uint32_t array, uint32_t number);
    uint64_t hash(std::string_view key, uint32_t parent) const;

    value::TreeView tree_ = {};
    Slots members_;  // parent and child, by key; the first child marks an indexed parent
    Slots arrays_;   // array, and its first index in elements_ plus 1
    Buffer<uint32_t> elements_;  // nodes
    uint64_t seed_;
};

}  // namespace accp::sacp
