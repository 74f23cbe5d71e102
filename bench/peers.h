// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The peers of the library: simdjson's DOM parser and RapidJSON's in-situ parser and Writer, each
// used in the fastest way of its own documentation.
#pragma once

#include <string>

#include "corpus.h"

namespace accp_bench {

// Returns the implementation that simdjson uses on this machine ("icelake", "haswell", …), and its
// version.
std::string simdjson_choice();

// Returns true if each peer reads and writes every message of the corpus correctly. Otherwise
// prints what is wrong on standard error.
bool check_peers(const Corpus &corpus);

}  // namespace accp_bench
