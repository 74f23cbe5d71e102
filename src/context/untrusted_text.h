// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The one way in which what others say gets into a context: texts, keys, values, host summaries.
// Nothing else writes any.
//
// What the engine writes begins its line in column 0, and the forms are few (docs/context.md has
// the grammar):
//
//     header     = ["(untrusted message) "] "@" agent SP intent ":" operation [SP fields]
//     field      = key *("." key) ":" [SP text]  /  key *("." key) SP "{" fields "}"
//     fact-line  = entity [" by " author] [" (untrusted)"] 1*(SP attribute ":" value)
//     reference  = "$warm.ckpt_" number  /  "…" [SP gap]
//
// Every further line of a text begins with a space, and with " > " where it looks like one of
// these. What a reader may take for the end of a line (CR, CRLF, VT, FF, U+001C to U+001E, U+0085,
// U+2028, U+2029) is LF; odd spaces are spaces; a terminal's escapes and all that cannot be seen
// are left out.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::context {

// How many bytes open_untrusted_line() adds to a line at most.
constexpr size_t kMaxLineMark = 3;

// Appends a text after what its line has already. Its last line stays open; line ends at its end
// are dropped. Linear.
void write_untrusted(std::string_view text, Buffer<char> &out);

// Appends a part of what write_untrusted() or the engine wrote as a line of its own, which stays
// open.
void open_untrusted_line(std::string_view line, Buffer<char> &out);

// Appends a key: bare, or in quotes with escapes where it could be taken for anything else, or
// where it is too long; then its beginning. At most kMaxKeyText bytes.
constexpr size_t kMaxKeyText = 60;
void write_untrusted_key(std::string_view key, Buffer<char> &out);
bool is_bare_untrusted_key(std::string_view key);

// Does it look like a line of the engine's, once its blanks are left out?
bool imitates_structure(std::string_view line);

// Does a reader take it for the end of a line?
bool is_line_end(uint32_t point);

// Is all of it seen, with no blank in it?
bool is_one_word(std::string_view text);

}  // namespace accp::context
