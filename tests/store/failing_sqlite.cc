// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See failing_sqlite.h.
#include "store/failing_sqlite.h"

#include <sqlite3.h>

#include "store/sqlite_setup.h"

namespace store_tests {

namespace {

Plan of_sqlite;
sqlite3_mem_methods sqlite_methods;

void *sqlite_take(int size) { return of_sqlite.fails() ? nullptr : sqlite_methods.xMalloc(size); }
void *sqlite_retake(void *memory, int size) {
    return of_sqlite.fails() ? nullptr : sqlite_methods.xRealloc(memory, size);
}

bool watch() {
    accp::store::set_up_sqlite();
    sqlite3_shutdown();
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_methods);
    sqlite3_mem_methods watched = sqlite_methods;
    watched.xMalloc = sqlite_take;
    watched.xRealloc = sqlite_retake;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
    return sqlite3_initialize() == SQLITE_OK;
}

}  // namespace

Plan &plan_of_sqlite() {
    [[maybe_unused]] static const bool watched = watch();
    return of_sqlite;
}

}  // namespace store_tests
