// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is counted rather than timed: heap calls once warm, and bytes.
#pragma once

#include "corpus.h"

namespace accp_bench {

// Prints the tables. False when a warm operation took memory from the heap, or a node is larger
// than 16 bytes.
bool print_memory(const Corpus &corpus);

}  // namespace accp_bench
