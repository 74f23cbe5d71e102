// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Merges a pane's packet with the shared one, for the worker to read.
#pragma once

#include "base/memory.h"
#include "value/tree.h"

namespace accp::packet {

// Appends the merged packet as JSON, without a seal. Both packets must come from a Reader. In a
// list the pane's items come first, followed by the shared items with another text or first member.
// For any other member the pane's value wins. `goal`, `version`, `changelog` and `not_included` are
// taken from the pane only. So is `sources`, without the entries of lists that got shared items;
// only its file hashes are taken from both.
void merge_packets(value::TreeView pane, value::TreeView shared, Memory &memory, Buffer<char> &out);

}  // namespace accp::packet
