// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a store holds, and how its files share the work.
#pragma once

#include <atomic>

#include "store/lane.h"
#include "store/plugin_port.h"

namespace accp::store {

struct Store::Inside {
    Inside(const accp_allocator &from, PluginPlace *of, bool writes)
        : lanes(from), main(lanes, from), place(of), may_write(writes) {}

    // What is queued in lanes of sessions' own becomes durable, or stays where it is. only: of one
    // session; empty: of all.
    Status write_lanes(std::string_view only);

    StoreLanes lanes;
    StoreLane main;      // of all sessions; or, over a host's back end, of what is no open one's
    PluginPlace *place;  // of a host's back end: each session has a lane of its own
    bool may_write;
    std::atomic<uint64_t> latest{0};  // time that a grant was judged by
};

// When what is queued is written (only: where sessions have lanes of their own, that session's):
// work(backend), under the lock of the main lane.
template <class Work>
Status Store::after_writing(std::string_view only, Work work) {
    Status status = inside_->write_lanes(only);
    if (status.failed()) return status;
    std::unique_lock<std::mutex> held(inside_->main.lock);
    inside_->main.begin_write(held);
    status = inside_->main.write(false);
    return status.failed() ? status : work(*inside_->main.backend);
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

// Backends, each made and opened; ACCP_ERR_ARG where the name is not one of its own.
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
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.release(room, sizeof(Made)); }
    } room = {memory, memory.allocate(sizeof(Made))};
    Made *made = new (room.room) Made(memory, arguments...);
    room.room = nullptr;
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
