// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes text from any source safe to show to people.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::sacp {

// Returns the offset of the first byte of a template that is not UTF-8 or begins a control
// character, except line ends and tabs; npos if there is none.
size_t find_control(std::string_view text);

// Appends a value's text, which must be valid UTF-8, on one line. Line ends and tabs become blanks.
// Other control, direction and tag characters become U+FFFD. Joiners stay, because some scripts
// need them.
void write_plain_text(std::string_view text, Buffer<char> &out);

// Converts valid UTF-8 to UTF-16 and replaces `out`; the reverse appends.
void to_utf16(std::string_view text, Buffer<char16_t> &out);
void from_utf16(const char16_t *text, size_t len, Buffer<char> &out);

}  // namespace accp::sacp
