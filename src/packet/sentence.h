// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A sentence, shorter, and in what it says and why.
#pragma once

#include "packet/found.h"

namespace accp::packet {

// Its first clauses, at most max_bytes; as it is where it has no more.
constexpr size_t kMaxStatement = 200;
std::string_view shorten(std::string_view sentence, size_t max_bytes = kMaxStatement);

struct Statement {
    std::string_view what, why;  // no reason given: empty
    std::string_view cause;      // of why it is so
};
// At what a language puts before a reason, or what stands in parentheses at the end.
Statement split_reason(std::string_view sentence, std::span<const std::string_view> reasons);

// What was found, as a packet says it: no text of it longer than max_bytes.
Statement state(const Found &found, size_t max_bytes = kMaxStatement);

}  // namespace accp::packet
