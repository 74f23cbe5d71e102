// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where a text has another, in capitals or not.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/bytes.h"

namespace accp::text {

// The first place where `text` has `wanted`, ASCII's letters in either case; npos: nowhere.
inline size_t find_in_any_case(std::string_view text, std::string_view wanted) {
    const auto same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    const auto at = std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same);
    return at == text.end() && !wanted.empty() ? text.npos : static_cast<size_t>(at - text.begin());
}

}  // namespace accp::text
