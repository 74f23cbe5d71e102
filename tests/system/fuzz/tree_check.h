// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks the invariants of a tree (types.h), node by node.
#pragma once

#include "accp/types.h"

namespace accp_fuzz {

// Aborts the run if the nodes [0, count) break an invariant; `text` is the text that they point
// into. frame: the tree of a frame, otherwise of a value.
void check_tree(const accp_node *nodes, size_t count, accp_text text, bool frame);

}  // namespace accp_fuzz
