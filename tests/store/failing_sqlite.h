// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our copy of SQLite without memory, at the allocation that a test wants.
#pragma once

#include <cstdint>

namespace store_tests {

// Which allocation fails, counted from 1; 0: none.
struct Plan {
    uint64_t at = 0, calls = 0;
    bool for_ever = false;

    bool fails() {
        ++calls;
        return at && (for_ever ? calls >= at : calls == at);
    }
};

// That of SQLite's allocations from now on.
Plan &plan_of_sqlite();

}  // namespace store_tests
