// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session that any number of writers share: none keeps it open.
#pragma once

#include "store/store.h"

namespace accp::store {

// A session of the store that is closed.
class HeldSession {
public:
    explicit HeldSession(StoreSession *session) : session_(session) {}
    HeldSession(const HeldSession &) = delete;
    HeldSession &operator=(const HeldSession &) = delete;
    ~HeldSession() {
        if (session_) session_->close();
    }
    StoreSession *operator->() const { return session_; }

private:
    StoreSession *session_;
};

// Makes a batch durable that appends to such a session, all or none. Of a writer that was overtaken
// nothing was written, so it is done again. ACCP_ERR_BUSY, with the message `busy`: too often.
Status commit_shared(Store &store, std::string_view id, const StoreBatch &batch, const char *busy);

}  // namespace accp::store
