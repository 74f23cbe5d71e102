// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts heap calls of warm operations, and bytes.
#pragma once

#include "corpus.h"

namespace accp_bench {

// Prints the tables. Returns false if a warm operation allocated memory, or if a node is larger
// than 16 bytes.
bool print_memory(const Corpus &corpus);

}  // namespace accp_bench
