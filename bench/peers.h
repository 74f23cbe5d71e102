// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the library is measured against: simdjson's DOM parser and RapidJSON's in-situ parser and
// Writer, each used in the way its own documentation calls fastest.
#pragma once

#include <string>

#include "corpus.h"

namespace accp_bench {

// The implementation that simdjson takes on this machine ("icelake", "haswell", …), and its
// version.
std::string simdjson_choice();

// True when each peer reads and writes every message of the corpus right; says on standard error
// what is wrong.
bool check_peers(const Corpus &corpus);

}  // namespace accp_bench
