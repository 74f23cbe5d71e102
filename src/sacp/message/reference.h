// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings in params that stand for something else: what a step made, what the context says, what a
// message under this one brought (SACP-RULES R30).
#pragma once

#include "value/tree.h"

namespace accp::plan {

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

    bool is_one() const { return kind != kText && kind != kEscaped; }
    // No label is empty?
    bool sound() const {
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

}  // namespace accp::plan
