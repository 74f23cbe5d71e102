// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A store as a handle of the C face, which sessions hold too: whoever lets go of it last ends it.
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

}  // namespace accp::store
