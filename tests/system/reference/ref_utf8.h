// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// UTF-8 for tests, and the code points that the u8 dialect accepts raw (docs/wire.md 3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accp_ref {

/**
 * Appends the bytes of a code point, also of a surrogate, which well-formed text does not contain.
 */
void append_code_point(char32_t point, std::string &out);

/**
 * Returns the code points of well-formed UTF-8 (no overlong form, no surrogate, nothing above
 * U+10FFFF); nothing for any other text.
 */
std::optional<std::vector<char32_t>> code_points(std::string_view utf8);

/** Returns whether the u8 dialect accepts this code point raw. Never true for ASCII. */
bool is_raw_code_point(char32_t point);

/**
 * Returns the number of bytes of the raw code point at the front of `text`: 1 to 4. Returns -n if
 * byte n - 1 is the first that no raw code point has there, or if the text ends before it.
 */
int raw_code_point_length(std::string_view text);

}  // namespace accp_ref
