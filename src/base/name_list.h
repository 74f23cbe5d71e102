// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A list of names in one text, each with a NUL after it.
#pragma once

#include <string_view>

namespace accp {

inline bool has_name(std::string_view list, std::string_view name) {
    for (size_t at = 0; at < list.size();) {
        std::string_view entry(list.data() + at);
        if (entry == name) return true;
        at += entry.size() + 1;
    }
    return false;
}

}  // namespace accp
