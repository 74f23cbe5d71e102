// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Whether a text looks like a random value, like words, or like an example.
#pragma once

#include <string_view>

namespace accp::text {

struct Looks {
    size_t size = 0, lower = 0, upper = 0, digits = 0, marks = 0, separators = 0, distinct = 0;
    size_t ascending = 0;  // bytes that are one more than the byte before, or equal to it
    int words = 0;         // above 0: like words; below: like random bytes
    bool is_hex = true;

    size_t classes() const { return !!lower + !!upper + !!digits + !!marks; }
    size_t letters() const { return lower + upper; }
};

// Looks at the first bytes of a value.
Looks look_at(std::string_view text);

// Returns whether a text takes the place of a secret: YOUR_API_KEY, xxxx, 1234567890, ${TOKEN}.
bool is_placeholder(std::string_view value, const Looks &looks);
bool is_uuid(std::string_view text);
// Returns whether it has the length of MD5, SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512, in
// hexadecimal digits.
bool is_digest(const Looks &looks);

}  // namespace accp::text
