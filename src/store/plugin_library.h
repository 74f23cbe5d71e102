// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Loads the library that opens stores in NATS, when the first such store is opened. So libaccp
// itself has no sockets and does not link the libraries that NATS needs.
#pragma once

#include <string_view>

#include "accp/store_backend.h"
#include "base/status.h"

namespace accp::store {

// Is it "nats://…" or "tls://…"?
bool is_in_nats(std::string_view name);

// Loads libaccp-nats once and never unloads it, and finds its function that opens stores. The
// loader searches the directory of this library first (its RUNPATH), then the usual ones. Returns
// ACCP_ERR_ARG if the library is not installed, cannot be loaded, or is not a back end for stores.
Status load_nats(accp_store_opener &out);

}  // namespace accp::store
