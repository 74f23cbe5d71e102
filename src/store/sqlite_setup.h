// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What SQLite alone needs to open a file.
#pragma once

#include "store/store.h"

namespace accp::store {

struct SqliteSetup {
    const char *vfs = nullptr;  // by its name; NULL: the default one
    int wal_pages = 8000;       // pages of the write-ahead log before a checkpoint
    bool vacuums = false;       // prune() shrinks the file
};

inline SqliteSetup setup_of(const StorePlace &place) {
    return place.sqlite ? *place.sqlite : SqliteSetup{};
}

// Readies our copy of SQLite, once a process. A code of SQLite.
int set_up_sqlite();

}  // namespace accp::store
