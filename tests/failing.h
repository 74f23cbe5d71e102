// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Work inside the library while one allocation fails.
#pragma once

#include "base/memory.h"
#include "failing_allocator.h"

namespace accp_test {

// Whether the work failed for want of memory when its allocation number `at` did.
template <class Work>
bool fails(Failing &failing, int64_t at, Work work) {
    failing.left = at;
    bool failed = false;
    try {
        work();
    } catch (const accp::OutOfMemory &) {
        failed = true;
    }
    failing.left = -1;
    return failed;
}

}  // namespace accp_test
