// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Work for stores that will be interrupted: groups of commits to two sessions, each group the
// function of its number, so that what is found afterwards says which groups it stands for.
#pragma once

#include "store/stores.h"

namespace store_tests {

class Work {
public:
    // Opens both sessions, and finds where the work stands.
    explicit Work(store::Store &store) : a(store, "a"), b(store, "b") {
        done = a.status == ACCP_OK && b.status == ACCP_OK ? a->row().version : 0;
    }

    // Group `done` + 1, committed and synced. `done` grows with an ACCP_OK.
    accp_status next();
    accp_status commit_next();
    // What is wrong with what is stored: it must stand for groups 1 … n, whole, with n >=
    // acknowledged. "" when nothing is.
    std::string check(uint64_t acknowledged);

    static std::string record(uint64_t group, uint64_t i);
    static uint64_t records(uint64_t group) { return 1 + group % 5; }  // of session a; b has one

    Open a, b;
    uint64_t done = 0;
};

}  // namespace store_tests
