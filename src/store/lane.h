// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A back end and what waits to be written to it, under one lock. In memory and in a file all
// sessions of a store share one lane. Over a host's back end each session that is open has its own:
// a call that waits there holds up no other session's.
//
// A lane's lock comes before that of the lanes, and who has the lock of one lane waits for no other
// lane. A lane of its own is freed when its handle is gone, nothing of it is queued, and nobody has
// it pinned.
#pragma once

#include <mutex>

#include "store/backend.h"
#include "store/lane_sync.h"

namespace accp::store {

class StoreLanes;

struct StoreLane {
    StoreLane(StoreLanes &of, const accp_allocator &from)
        : lanes(of), memory(from, UINT64_MAX), queue(memory) {}
    ~StoreLane();
    StoreLane(const StoreLane &) = delete;
    StoreLane &operator=(const StoreLane &) = delete;

    // Takes the lock and returns with it held. Returns success when all commits of `session`
    // (nullptr: of all sessions) are durable, or an error if some of them are not.
    Status sync(std::unique_lock<std::mutex> &unlocked, const OpenSession *session);

    // Call it with the lock held before any other write to the back end. Waits until no sync runs.
    void begin_write(std::unique_lock<std::mutex> &held);
    // The functions from here on need the lock. write() writes the queue, or leaves it unchanged if
    // it fails. to_device: every commit is durable on return.
    Status write(bool to_device);
    // Marks the queue as written, after the back end has stored all of it.
    void note_written(bool is_durable);
    // Frees a handle.
    void release(StoreSession *session) noexcept;

    StoreLanes &lanes;
    std::mutex lock;
    Memory memory;               // guarded by lock, like the next four
    Backend *backend = nullptr;  // made from `memory`
    CommitQueue queue;
    LaneSync progress;
    bool is_over = false;  // of a session's own lane: the handle is gone

    // guarded by the lock of the lanes
    uint32_t pins = 0;
    size_t counted = 0;                              // bytes of the queue, as the sum has them
    StoreLane *previous = nullptr, *next = nullptr;  // of lanes that have something queued
    bool is_own = false;                             // constant, as the next one
    std::string_view id;                             // of the session; in `memory`

private:
    Status lead(std::unique_lock<std::mutex> &held);
    void await_others(std::unique_lock<std::mutex> &held);
    Status write_to_device(std::unique_lock<std::mutex> &held);
};

class StoreLanes {
public:
    // An allocator that several threads may call at once.
    explicit StoreLanes(const accp_allocator &from) : from_(from), memory_(from, UINT64_MAX) {}
    StoreLanes(const StoreLanes &) = delete;
    StoreLanes &operator=(const StoreLanes &) = delete;
    // What was closed and could not be written is lost.
    ~StoreLanes();

    const accp_allocator &allocator() const { return from_; }
    // A lane of a session's own, pinned.
    StoreLane *make(std::string_view id);
    void pin(StoreLane &lane);
    void unpin(StoreLane *lane) noexcept;
    // After a change of a lane's queue, and its lock.
    void count(StoreLane &lane) noexcept;
    // Is so much more queued than may wait?
    bool is_full(size_t extra);
    // Lanes of their own that have something queued, pinned. only: of one session; empty: of all.
    void pin_waiting(std::string_view only, Buffer<StoreLane *> &out);

private:
    void free_lane(StoreLane *lane) noexcept;

    accp_allocator from_;
    std::mutex lock_;
    Memory memory_;                 // guarded by lock_, as the next two
    StoreLane *waiting_ = nullptr;  // the newest first
    size_t queued_ = 0;             // bytes, in all lanes
};

// Lanes that are pinned until the end of a block.
struct PinnedLanes {
    explicit PinnedLanes(StoreLanes &of)
        : lanes(of), memory(of.allocator(), UINT64_MAX), all(memory) {}
    PinnedLanes(const PinnedLanes &) = delete;
    PinnedLanes &operator=(const PinnedLanes &) = delete;
    ~PinnedLanes() {
        for (StoreLane *lane : all) lanes.unpin(lane);
    }

    StoreLanes &lanes;
    Memory memory;
    Buffer<StoreLane *> all;
};

}  // namespace accp::store
