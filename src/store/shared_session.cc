// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See shared_session.h.
#include "store/shared_session.h"

namespace accp::store {

namespace {

constexpr int kSharedTries = 16;

Status commit_once(Store &store, std::string_view id, const StoreBatch &batch) {
    StoreSession *opened = nullptr;
    Status status = store.open_session(id, true, opened);
    if (status.failed()) return status;
    const HeldSession session(opened);
    return session->commit_now(batch);
}

}  // namespace

Status commit_shared(Store &store, std::string_view id, const StoreBatch &batch, const char *busy) {
    for (int tries = 0; tries < kSharedTries; ++tries) {
        const Status status = commit_once(store, id, batch);
        if (status.code != ACCP_ERR_CLOSED) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, busy);
}

}  // namespace accp::store
