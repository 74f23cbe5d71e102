// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A time is worth nothing if the work was not done: before anything is timed, every operation's
// result is compared with the corpus.
#pragma once

#include "corpus.h"

namespace accp_bench {

// True when all is right; says on standard error what is wrong.
bool check_operations(const Corpus &corpus);

}  // namespace accp_bench
