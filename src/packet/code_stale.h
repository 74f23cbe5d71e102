// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which files of a packet are others now than when it was made.
#pragma once

#include "packet/code_index.h"
#include "value/value.h"

namespace accp::packet {

// "sha256:" and the first digits: how sources names a file's text.
void append_text_hash(uint64_t hash, Buffer<char> &out);

// Appends the paths of the packet's files whose text has another hash in the code than the one in
// its sources, or which are not there, each with a newline after it. Files without a hash are none.
void append_stale_files(value::TreeView packet, const CodeIndex &code, Buffer<char> &out);

}  // namespace accp::packet
