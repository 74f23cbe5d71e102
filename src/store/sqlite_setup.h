// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Options of SQLite stores.
#pragma once

#include "store/store.h"

namespace accp::store {

struct SqliteSetup {
    const char *vfs = nullptr;  // the name of a VFS; NULL: the default
    int wal_pages = 8000;       // pages of the write-ahead log before a checkpoint
    bool vacuums = false;       // prune() shrinks the file
};

inline SqliteSetup setup_of(const StorePlace &place) {
    return place.sqlite ? *place.sqlite : SqliteSetup{};
}

// Initializes our copy of SQLite, once for the process. Returns a code of SQLite.
int set_up_sqlite();

}  // namespace accp::store
