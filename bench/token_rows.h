// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counting tokens: frames, English and code, against npm's tiktoken (WASM) and gpt-tokenizer, which
// node runs as children of this program.
#pragma once

#include "corpus.h"
#include "ratio_table.h"

namespace accp_bench {

void add_token_rows(const Corpus &corpus);

// Runs the children and prints the ratios. Returns true if every "must" is met. Without
// ACCP_NODE_MODULES, which names the directory of the packages, nothing is checked.
bool print_token_ratios(const Corpus &corpus, const RatioTable &table);

}  // namespace accp_bench
