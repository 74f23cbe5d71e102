// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The promises of a back end of stores, a check each. A check throws CheckFailed.
#pragma once

#include <functional>

#include "cli/store/backend_probe.h"

namespace cli {

// What a check works with: the place, opened, and names that no other check uses.
struct BackendBench {
    accp_store_opener open;
    std::string place;
    BackendProbe probe;
    std::string session;                 // of this check
    std::vector<std::string> more = {};  // others that it made: all are erased after it

    std::string other(const std::string &name) {
        more.push_back(session + name);
        return more.back();
    }
};

struct BackendCheck {
    const char *name;
    std::function<void(BackendBench &)> run;
};

// Of the table alone.
std::vector<BackendCheck> table_checks();
// Of a store over it.
std::vector<BackendCheck> store_checks();

}  // namespace cli
