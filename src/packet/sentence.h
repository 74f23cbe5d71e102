// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A sentence, shorter, and in what it says and why.
#pragma once

#include <string_view>

namespace accp::packet {

// Its first clauses, at most kMaxStatement bytes; as it is where it has no more.
constexpr size_t kMaxStatement = 200;
std::string_view shorten(std::string_view sentence);

struct Statement {
    std::string_view what, why;  // no reason given: empty
};
// At `because`, `so that`, a dash, or what stands in parentheses at the end.
Statement split_reason(std::string_view sentence);

}  // namespace accp::packet
