// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What in a text is a name: a path, a file, an identifier. And the words and lines of a text, as
// this room compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"

namespace accp::context {

// The next run of letters, digits, `_ . / -`, without points and hyphens at its ends, that has 4 to
// 80 bytes, and a digit, `_ . / -` or a capital after its first byte. Empty at the end; `at` moves
// after it.
std::string_view next_name(std::string_view text, size_t &at);

// The next line, without its newline; a long one in pieces of at most kMaxLineBytes, cut after a
// sentence, a space or a character.
constexpr size_t kMaxLineBytes = 196;
constexpr size_t kMaxPathBytes = 130;  // of the path of a field with its colon: no piece ends in it
std::string_view next_line(std::string_view text, size_t &at);

// The same on every machine; no key, as nothing is kept by it but bounded sets.
uint64_t text_hash(std::string_view text);
constexpr uint64_t kHashFactor = 0x9E3779B97F4A7C15;

}  // namespace accp::context
