// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library as a hub uses it: a store, an engine with the hub's rules, sessions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace scale {

struct Free {
    void operator()(accp_config *handle) const { accp_config_free(handle); }
    void operator()(accp_engine *handle) const { accp_engine_free(handle); }
    void operator()(accp_session *handle) const { accp_session_close(handle); }
    void operator()(accp_store *handle) const { accp_store_close(handle, nullptr); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

// Discards the deliveries: a hub forwards frames from its log.
inline void drain(accp_session *session) {
    for (accp_delivery one; accp_session_next_delivery(session, &one) != 0;) {
    }
}

class Engine {
public:
    // table NULL: a store in memory that belongs to the engine.
    Engine(const accp_store_backend *table, void *user);

    // Returns NULL on failure, and sets `status`.
    Handle<accp_session> open(std::string_view id, uint32_t flags = 0,
                              accp_status *status = nullptr) const;
    accp_status sync() const { return accp_store_sync(store_.get(), nullptr); }
    accp_store *store() const { return store_.get(); }

private:
    Handle<accp_store> store_;
    Handle<accp_engine> engine_;
};

}  // namespace scale
