// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message made smaller: its first line, its beginning and its end, and between them lines that
// report a failure. A gap says how many lines are missing.
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "token/count.h"

namespace accp::context {

// The next line, without its newline; a long one in pieces of at most kMaxLineBytes, cut after a
// sentence, a space or a character. `at` moves after it.
constexpr size_t kMaxLineBytes = 196;
constexpr size_t kMaxPathBytes = 130;  // of the path of a field with its colon: no piece ends in it
std::string_view next_piece(std::string_view text, size_t &at);

// Appends a message, as write_message() or this function made it, in about `max` tokens. `number`:
// of a message that closes for the first time, whose first line is then that of a closed message
// (write_closed_head()); else 0. The first line stays even if it is longer. Reads only what may
// stay.
Status cut_message(std::string_view message, uint32_t max, uint64_t number, Arena &arena,
                   token::TokenCounter &counter, Buffer<char> &out);

}  // namespace accp::context
