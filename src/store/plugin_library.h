// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library that opens stores in NATS. It is loaded when the first such store is opened, so that
// libaccp itself links nothing of what NATS needs and has no sockets.
#pragma once

#include <string_view>

#include "accp/store_backend.h"
#include "base/status.h"

namespace accp::store {

// "nats://…" and "tls://…".
bool is_in_nats(std::string_view name);

// Loads libaccp-nats, once and for good, and finds its function that opens places. The loader looks
// beside this library first (its RUNPATH), then where it always does. ACCP_ERR_ARG: the library is
// not installed, cannot be loaded, or is not a back end of stores.
Status load_nats(accp_store_opener &out);

}  // namespace accp::store
