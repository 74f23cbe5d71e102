// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shortens a message to its first line, its beginning, its end, and lines between them that report
// a failure. Each gap states how many lines are missing.
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "token/count.h"

namespace accp::context {

// Returns the next line without its newline, and moves `at` after it. A long line is returned in
// pieces of at most kMaxLineBytes, each ending after a sentence, a space or a character.
constexpr size_t kMaxLineBytes = 196;
constexpr size_t kMaxPathBytes = 130;  // of the path of a field and its colon, never split
std::string_view next_piece(std::string_view text, size_t &at);

// Appends a message in about `max` tokens. The message is as write_message() or this function
// wrote it. If a message closes for the first time, `number` is its number, and its first line
// becomes that of a closed message (write_closed_head()); else it is 0. The first line stays even
// if it is longer. Tokens are counted only in lines that may stay.
Status cut_message(std::string_view message, uint32_t max, uint64_t number, Arena &arena,
                   token::TokenCounter &counter, Buffer<char> &out);

}  // namespace accp::context
