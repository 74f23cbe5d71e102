// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes all texts of others into a context: texts, keys, values and summaries of hosts.
//
// Lines of the engine begin in column 0 and have one of these forms (docs/context.md has the
// grammar):
//
//     header     = ["(untrusted message) "] "@" agent SP intent ":" operation [SP fields]
//     field      = key *("." key) ":" [SP text]  /  key *("." key) SP "{" fields "}"
//     fact-line  = entity [" by " author] [" (untrusted)"] 1*(SP attribute ":" value)
//     reference  = "$warm.ckpt_" number  /  "…" [SP gap]
//
// Each further line of a text begins with a space, or with " > " if it looks like one of these.
// Every character that a reader may treat as the end of a line (CR, CRLF, VT, FF, U+001C to U+001E,
// U+0085, U+2028, U+2029) becomes LF. Unusual spaces become spaces. Terminal escapes and invisible
// characters are removed.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::context {

// Appends a text to the current line. Removes line ends at its end, so its last line stays open.
// Linear.
void write_untrusted(std::string_view text, Buffer<char> &out);

// Appends a part of a line that write_untrusted() or the engine wrote, as a line that stays open.
void open_untrusted_line(std::string_view line, Buffer<char> &out);

// Appends a key in at most kMaxKeyText bytes. It is quoted and escaped if it could be mistaken for
// something else, and also cut if it is too long.
constexpr size_t kMaxKeyText = 60;
void write_untrusted_key(std::string_view key, Buffer<char> &out);
bool is_bare_untrusted_key(std::string_view key);

// Returns whether the line, after its blanks, looks like one of the engine's.
bool imitates_structure(std::string_view line);

// Returns whether a reader may treat the code point as the end of a line.
bool is_line_end(uint32_t point);

// Returns whether all characters are visible and none is a blank.
bool is_one_word(std::string_view text);

}  // namespace accp::context
