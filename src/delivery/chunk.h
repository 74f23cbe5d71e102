// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chunks as messages in JSON (schema ST), out and in.
#pragma once

#include "accp/stream.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::delivery {

// Appends the message of a chunk; `named`: its payload names its schema. Texts may lie anywhere.
void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named,
                         Buffer<char> &json);

// Reads one: `stream`, or `end`, which has a cid and nothing else. Data that is no text is written
// to `spelled`. ERR_ARG for any other intent, E1004 for what is no chunk.
Status read_chunk_message(value::TreeView tree, bool &is_end, accp_chunk &out,
                          Buffer<char> &spelled);

}  // namespace accp::delivery
