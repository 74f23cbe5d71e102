// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accp::store {

// Readies our copy of SQLite, once a process. A code of SQLite.
int set_up_sqlite();

}  // namespace accp::store
