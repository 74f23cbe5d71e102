// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading targets, headers and statuses of HTTP messages.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "proxy/traffic.h"

namespace proxy {

inline bool is_success(int status) { return status >= 200 && status < 300; }

// Returns the text before the query.
inline std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

// Only letters of ASCII have a case.
inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return accp::to_lower(x) == accp::to_lower(y); });
}

// Returns the first value; empty: missing.
inline std::string_view find_header(const Headers &headers, std::string_view name) {
    for (const auto &[key, value] : headers)
        if (equals_ignoring_case(key, name)) return value;
    return {};
}

}  // namespace proxy
