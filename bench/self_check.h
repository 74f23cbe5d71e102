// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A time is only meaningful if the work was done. Before anything is timed, every operation's
// result is compared with the corpus.
#pragma once

#include "corpus.h"

namespace accp_bench {

// Returns true if all results are right. Otherwise prints what is wrong on standard error.
bool check_operations(const Corpus &corpus);

}  // namespace accp_bench
