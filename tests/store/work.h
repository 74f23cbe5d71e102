// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Work for stores that will be interrupted: groups of commits to two sessions. The contents of a
// group depend only on its number, so a test can later find out which groups are there.
#pragma once

#include "store/stores.h"

namespace store_tests {

class Work {
public:
    // Opens both sessions, and finds the number of the last group.
    explicit Work(store::Store &store) : a(store, "a"), b(store, "b") {
        done = a.status == ACCP_OK && b.status == ACCP_OK ? a->row().version : 0;
    }

    // Commits and syncs group `done` + 1. Increments `done` after ACCP_OK.
    accp_status next();
    accp_status commit_next();
    // Returns an error message unless the contents are complete groups 1 … n, with n >=
    // acknowledged.
    std::string check(uint64_t acknowledged);

    static std::string record(uint64_t group, uint64_t i);
    static uint64_t records(uint64_t group) {
        return 1 + group % 5;
    }  // records of session a; b
       // has one

    Open a, b;
    uint64_t done = 0;
};

}  // namespace store_tests
