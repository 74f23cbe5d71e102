// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hashes of files in a packet's `sources`, and which of these files have changed since.
#pragma once

#include "packet/code/files.h"
#include "value/value.h"

namespace accp::packet {

// Appends an entry of sources.relevant_files: "sha256:", the first digits of the hash, a blank and
// the path.
void append_file_source(uint64_t text_hash, std::string_view path, Buffer<char> &out);
// Returns the path of such an entry; empty if it is not one.
std::string_view path_of_source(value::TreeView packet, uint32_t entry);

// Returns the list sources.relevant_files; 0: the packet has none.
uint32_t find_file_sources(value::TreeView packet);
// Replaces `out` by the paths of the packet's files, sorted.
void read_file_paths(value::TreeView packet, Buffer<std::string_view> &out);

// Appends, one per line, the paths of the packet's files that are missing in the code or have
// another hash there. Files without a hash are skipped.
Status append_stale_files(value::TreeView packet, const CodeFiles &code, Memory &memory,
                          Buffer<char> &out);

}  // namespace accp::packet
