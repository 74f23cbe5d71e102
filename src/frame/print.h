// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A parsed frame back to its canonical text (specification 3.1.1).
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::frame {

// Appends the canonical form of the frame whose nodes are nodes[0, count) over text[0, text_len).
// ACCP_E1004 for a decimal of more than six places.
Status print_frame(value::TreeView tree, uint32_t count, size_t text_len, Arena &arena,
                   Buffer<char> &out);

}  // namespace accp::frame
