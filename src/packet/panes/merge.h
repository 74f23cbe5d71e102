// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a worker reads: its own packet, and after it what all panes share.
#pragma once

#include "base/memory.h"
#include "value/tree.h"

namespace accp::packet {

// Appends, as JSON and without a seal, the packet of a pane with the shared one's context merged
// in. Both are as packet::Reader makes them. Of a list the pane's items come first, then those of
// the shared one that differ in their text or first member; of all else the pane's own stands.
// Goal, revision, changelog and what is not included are the pane's alone. So is where items were
// said, which is left out of lists to which the shared packet adds; hashes of files are of both.
void merge_packets(value::TreeView pane, value::TreeView shared, Memory &memory, Buffer<char> &out);

}  // namespace accp::packet
