// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What stands at the byte that an error names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

// The word, number, string of JSON or single character that begins there, printable, and
// its first bytes where it is long. Empty at the end of the text, and of a space.
std::string found_at(std::string_view text, uint64_t offset);

}  // namespace cli
