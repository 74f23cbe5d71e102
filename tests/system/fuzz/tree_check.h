// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What types.h says of a tree, checked node by node.
#pragma once

#include "accp/types.h"

namespace accp_fuzz {

// Ends the run where the nodes [0, count) break an invariant; `text` is what they point into.
// frame: of a frame, else of a value.
void check_tree(const accp_node *nodes, size_t count, accp_text text, bool frame);

}  // namespace accp_fuzz
