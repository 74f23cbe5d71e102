// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A store as a handle of the C face, which sessions hold too: whoever lets go of it last ends it.
#pragma once

#include <atomic>

#include "base/handle.h"
#include "store/store.h"

struct accp_store {
    explicit accp_store(const accp::Settings &from) : settings(from), store(from) {}

    accp::Settings settings;
    accp::store::Store store;
    std::atomic<uint32_t> owners{1};
};

namespace accp::store {

inline accp_store *share_store(accp_store *held) {
    if (held) held->owners.fetch_add(1, std::memory_order_relaxed);
    return held;
}

inline void drop_store(accp_store *held) noexcept {
    if (held && held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) end_handle(held);
}

}  // namespace accp::store
