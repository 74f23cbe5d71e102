// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A sentence, shorter, and in what it says and why.
#pragma once

#include "packet/extract/found.h"

namespace accp::packet {

constexpr size_t kMaxSentence = 400;  // bytes; what is longer is no sentence of people

// Where a sentence that says too much at once may be cut; its size: nowhere, or it is short. What
// follows begins at next_clause() of that place.
size_t clause_cut(std::string_view sentence);
uint32_t next_clause(std::string_view text, uint32_t at);

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
