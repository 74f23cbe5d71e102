// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Lists of names.
#pragma once

#include <initializer_list>
#include <string_view>

namespace accp {

// Of one text, with a NUL after each name.
inline bool has_name(std::string_view list, std::string_view name) {
    for (size_t at = 0; at < list.size();) {
        std::string_view entry(list.data() + at);
        if (entry == name) return true;
        at += entry.size() + 1;
    }
    return false;
}

// Of an array of names, or a list of them.
template <class Names>
bool is_among(std::string_view name, const Names &names) {
    for (std::string_view known : names)
        if (known == name) return true;
    return false;
}
inline bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
    return is_among<std::initializer_list<std::string_view>>(name, names);
}

}  // namespace accp
