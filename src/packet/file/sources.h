// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which files of a packet are others now than when it was made.
#pragma once

#include "packet/code/files.h"
#include "value/value.h"

namespace accp::packet {

// "sha256:", the first digits, a blank and the path: how sources.relevant_files names a file's
// text.
void append_file_source(uint64_t text_hash, std::string_view path, Buffer<char> &out);
// The path of such an entry; empty: it is none.
std::string_view path_of_source(value::TreeView packet, uint32_t entry);

// The list sources.relevant_files; 0: the packet has none.
uint32_t find_file_sources(value::TreeView packet);
// Replaces `out` by the paths of the packet's files, sorted.
void read_file_paths(value::TreeView packet, Buffer<std::string_view> &out);

// Appends the paths of the packet's files whose text has another hash in the code than the one in
// its sources, or which are not there, each with a newline after it. Files without a hash are none.
Status append_stale_files(value::TreeView packet, const CodeFiles &code, Memory &memory,
                          Buffer<char> &out);

}  // namespace accp::packet
