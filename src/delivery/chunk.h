// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chunks of a stream: splitting a text, and chunks as JSON messages (schema ST).
#pragma once

#include <string_view>

#include "accp/stream.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::delivery {

// Appends the message of a chunk. `named`: the payload names its schema. The texts need no slack.
void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named,
                         Buffer<char> &json);

// Reads a chunk message: `stream`, or `end`, which has only a cid. Data that is not a string is
// written to `spelled`. Returns ERR_ARG for any other intent, and E1004 if the payload is not a
// chunk.
Status read_chunk_message(value::TreeView tree, bool &is_end, accp_chunk &out,
                          Buffer<char> &spelled);

// Returns the end of the piece of a text that begins at `begin`: at most `max` bytes, but at least
// one code point. A code point is never split, and if possible a character is not separated from
// its mark or joiner.
size_t cut_text(std::string_view text, size_t begin, size_t max);

}  // namespace accp::delivery
