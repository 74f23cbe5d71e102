// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Text for people: what may stand in it, whoever wrote it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::sacp {

// The first byte of a template that is no UTF-8, or begins a control character other than the end
// of a line and a tab; npos: there is none.
size_t find_control(std::string_view text);

// Appends a value's text, valid UTF-8, on one line: ends of lines and tabs become blanks, other
// controls, and what turns the direction of the text around it or tags it unseen, U+FFFD. Joiners
// stay: scripts are written with them.
void write_plain_text(std::string_view text, Buffer<char> &out);

// UTF-16, as ICU has it, from valid UTF-8; replaces `out`. And back, appended.
void to_utf16(std::string_view text, Buffer<char16_t> &out);
void from_utf16(const char16_t *text, size_t len, Buffer<char> &out);

}  // namespace accp::sacp
