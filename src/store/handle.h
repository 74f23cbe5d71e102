// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The store handle of the C API. Sessions hold a share of it; the last owner frees it.
#pragma once

#include "base/handle.h"
#include "store/store.h"

struct accp_store {
    explicit accp_store(const accp::Settings &from) : settings(from), store(from) {}

    accp::Settings settings;
    accp::store::Store store;
    std::atomic<uint32_t> owners{1};
};

namespace accp::store {

inline accp_store *share_store(accp_store *held) { return retain_handle(held); }
inline void drop_store(accp_store *held) noexcept { release_handle(held); }

// Reports whether a store's name begins with nats:// or tls://.
bool is_in_nats(std::string_view name);

// Loads libaccp-nats once and never unloads it, and finds its function that opens stores. The
// loader searches the directory of this library first (its RUNPATH), then the usual ones. Returns
// ACCP_ERR_ARG if the library is not installed, cannot be loaded, or is not a back end for stores.
Status load_nats(accp_store_opener &out);

}  // namespace accp::store
