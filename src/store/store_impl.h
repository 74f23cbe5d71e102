// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members of a store, shared by the .cc files of this directory.
#pragma once

#include <atomic>

#include "store/lane.h"
#include "store/plugin_port.h"

namespace accp::store {

struct Store::Impl {
    Impl(const accp_allocator &from, PluginContext *of, bool writes)
        : lanes(from), main(lanes, from), plugin(of), may_write(writes) {}

    // Writes the queues of the lanes of single sessions: of session `only`, or of all if it is
    // empty. A queue that cannot be written stays unchanged.
    Status write_lanes(std::string_view only);

    StoreLanes lanes;
    StoreLane main;         // of all sessions; over a host's back end, of calls on no open session
    PluginContext *plugin;  // a host's back end: each session has its own lane; else NULL
    bool may_write;
    std::atomic<uint64_t> latest{0};  // the latest time of a grant check
};

// Writes the queue (over a host's back end: of session `only`), then calls work(backend) under the
// lock of the main lane.
template <class Work>
Status Store::after_writing(std::string_view only, Work work) {
    Status status = impl_->write_lanes(only);
    if (status.failed()) return status;
    std::unique_lock<std::mutex> held(impl_->main.lock);
    impl_->main.begin_write(held);
    status = impl_->main.write(false);
    return status.failed() ? status : work(*impl_->main.backend);
}

// The error for a store of an unknown kind.
#if ACCP_SQLITE
constexpr const char *kNoStore =
    "no such kind of store: a store is memory:, sqlite:PATH or nats://HOST:PORT/PREFIX";
#else
constexpr const char *kNoStore =
    "no such kind of store: a store is memory: or nats://HOST:PORT/PREFIX (this build of libaccp "
    "has no SQLite)";
#endif

// Make and open a back end. They return ACCP_ERR_ARG if the name is not of their kind.
Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out);
#if ACCP_SQLITE
Status open_sqlite_backend(Memory &memory, const StorePlace &place, Backend *&out);
#else
inline Status open_sqlite_backend(Memory &, const StorePlace &, Backend *&) {
    return fail(ACCP_ERR_ARG, 0, kNoStore);
}
#endif

template <class Made, class... Arguments>
Made *make_backend(Memory &memory, Arguments &&...arguments) {
    struct Allocation {
        Memory &memory;
        void *room;
        ~Allocation() { memory.release(room, sizeof(Made)); }
    } room = {memory, memory.allocate(sizeof(Made))};
    Made *made = new (room.room) Made(memory, arguments...);
    room.room = nullptr;
    made->object_bytes = sizeof(Made);
    return made;
}

inline void destroy_backend(Memory &memory, Backend *backend) {
    if (!backend) return;
    size_t bytes = backend->object_bytes;
    backend->~Backend();
    memory.release(backend, bytes);
}

}  // namespace accp::store
