// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// UTF-8 for tests, and the code points that the u8 dialect takes raw (docs/wire.md 3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accp_ref {

/**
 * Appends the bytes of a code point, also those of a surrogate, which no well-formed text holds.
 */
void append_code_point(char32_t point, std::string &out);

/**
 * The code points of well-formed UTF-8 (no overlong form, no surrogate, nothing above U+10FFFF);
 * empty for anything else.
 */
std::optional<std::vector<char32_t>> code_points(std::string_view utf8);

/** Whether the u8 dialect takes this code point raw. Never true for ASCII. */
bool is_raw_code_point(char32_t point);

/**
 * How many bytes the raw code point at the front of `text` has: 1 to 4, or -n where byte n - 1 is
 * the first one that no raw code point has there (also where the text ends before it).
 */
int raw_code_point_length(std::string_view text);

}  // namespace accp_ref
