// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a store holds after its lock, and how its files share the work.
#pragma once

#include <mutex>

#include "store/backend.h"

namespace accp::store {

struct Store::Inside {
    Inside(Memory &from, Backend &made) : memory(from), backend(&made), queue(from) {}

    Status write();  // what is queued
    void release(StoreSession *session);
    void release_closed();

    Memory &memory;
    Backend *backend;
    CommitQueue queue;
    std::mutex lock;
    uint64_t latest = 0;  // time that a grant was judged by
};

// Backends, each made and opened; ACCP_ERR_ARG where the name is not one of its own.
Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out);
#if ACCP_SQLITE
Status open_sqlite_backend(Memory &memory, const StorePlace &place, Backend *&out);
#else
inline Status open_sqlite_backend(Memory &, const StorePlace &, Backend *&) {
    return fail(ACCP_ERR_ARG, 0, "a store is memory: or sqlite:PATH");
}
#endif

template <class Made, class... Arguments>
Made *make_backend(Memory &memory, Arguments &&...arguments) {
    Made *made = new (memory.allocate(sizeof(Made))) Made(memory, arguments...);
    made->object_bytes = sizeof(Made);
    return made;
}

inline void end_backend(Memory &memory, Backend *backend) {
    if (!backend) return;
    size_t bytes = backend->object_bytes;
    backend->~Backend();
    memory.release(backend, bytes);
}

}  // namespace accp::store
