// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our copy of SQLite, with an allocation that a test lets fail.
#pragma once

#include <cstdint>

namespace store_tests {

// The number of the allocation that fails, counted from 1; 0: none.
struct Plan {
    uint64_t at = 0, calls = 0;
    bool for_ever = false;

    bool fails() {
        ++calls;
        return at && (for_ever ? calls >= at : calls == at);
    }
};

// Returns the plan for SQLite's allocations from now on.
Plan &plan_of_sqlite();

}  // namespace store_tests
