// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A back end and the commits that wait to be written to it, under one lock. In memory and in a file
// all sessions of a store share one lane. Over a host's back end each open session has its own
// lane, so a call that waits there does not block other sessions.
//
// Lock order: a lane's lock comes before the lock of StoreLanes, and a thread that holds one lane's
// lock waits for no other lane. A session's own lane is freed when its handle is gone, its queue is
// empty, and no thread has it pinned.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/status.h"
#include "store/backend.h"

namespace accp::store {

// Tracks which commits of a lane are durable, and the sync that its threads share.
//
// When several threads want their commits on the device, one of them is the leader. It writes the
// queue as one group, then waits for the device without the lane's lock. Meanwhile others commit,
// read, and wait for the next sync, which one of them leads. So a thread waits for at most two
// syncs, and all threads share them.
//
// While a sync waits for the device, nothing else is written there. The kernel reports a failure
// only once, so a thread that wrote meanwhile would miss it and treat its data as durable.
//
// A commit's number is the count of commits so far. A successful sync raises `durable` to the
// newest commit that was queued when it wrote. A failed sync returns its error only to the threads
// that waited for such a commit. The next call tries again.
struct GroupSync {
    uint64_t committed = 0;  // guarded by the lane's lock, like all but `ended`
    uint64_t durable = 0;

    bool has_leader = false;
    uint64_t target = 0;           // the newest commit that the running sync includes
    uint64_t expected = 0;         // threads that may join the next sync: all of the last two
    uint32_t writers = 0;          // threads that wait to write something else
    std::condition_variable idle;  // of writers
    // The number of syncs that have ended. It is also the number of the running or next sync.
    std::atomic<uint64_t> ended{0};
    // Threads that wait for the running sync and for the next one, indexed by the lowest bit of the
    // sync's number.
    struct Turn {
        std::condition_variable over;
        uint64_t waiting = 0;
    } turns[2];

    uint64_t failed = 0;         // the value of `ended` after the last failed sync
    uint64_t failed_commit = 0;  // the newest commit that it included
    Status failure;

    Turn &turn(uint64_t number) { return turns[number & 1]; }

    // Finds the result of a call that began when `began` syncs had ended and that waits for
    // `commit`. False if there is none yet.
    bool find_result(uint64_t began, uint64_t commit, Status &out) const {
        if (durable >= commit) return true;
        if (failed <= began || failed_commit < commit) return false;
        out = failure;
        return true;
    }
    // All commits became durable without a shared sync, so nobody needs to wait.
    void note_durable() {
        durable = committed;
        for (Turn &turn : turns) turn.over.notify_all();
    }
    // Waits until the sync that includes this commit is over, or until the caller may lead one.
    void wait(std::unique_lock<std::mutex> &held, uint64_t commit) {
        const uint64_t number = ended + (has_leader && commit > target);
        ++turn(number).waiting;
        turn(number).over.wait(held);
        if (ended <= number) --turn(number).waiting;
    }
    // Wakes all threads of the sync that ends. Then wakes the writers, or one thread to lead the
    // next sync.
    void end() {
        const uint64_t number = ended++;
        has_leader = false;
        expected = turn(number).waiting + turn(number + 1).waiting + 1;
        turn(number).waiting = 0;
        turn(number).over.notify_all();
        if (writers) idle.notify_all();
        else turn(number + 1).over.notify_one();
    }
};

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
    GroupSync progress;
    bool handle_gone = false;  // for a session's own lane

    // guarded by the lock of the lanes
    uint32_t pins = 0;
    size_t counted = 0;                              // bytes of the queue in StoreLanes::queued_
    StoreLane *previous = nullptr, *next = nullptr;  // list of lanes with a queue
    bool is_own = false;                             // one session has it; constant, like `id`
    std::string_view id;                             // of that session; in `memory`

private:
    Status lead_sync(std::unique_lock<std::mutex> &held);
    void await_others(std::unique_lock<std::mutex> &held);
    Status write_to_device(std::unique_lock<std::mutex> &held);
};

class StoreLanes {
public:
    // Several threads may call the allocator at once.
    explicit StoreLanes(const accp_allocator &from) : from_(from), memory_(from, UINT64_MAX) {}
    StoreLanes(const StoreLanes &) = delete;
    StoreLanes &operator=(const StoreLanes &) = delete;
    // Commits of closed sessions that could not be written are lost.
    ~StoreLanes();

    const accp_allocator &allocator() const { return from_; }
    // Makes a lane for one session and pins it.
    StoreLane *make(std::string_view id);
    void pin(StoreLane &lane);
    void unpin(StoreLane *lane) noexcept;
    // Updates the total after a change of a lane's queue. Call it with the lane's lock held.
    void update_queued(StoreLane &lane) noexcept;
    // Reports whether `extra` more bytes exceed the limit on queued bytes.
    bool is_full(size_t extra);
    // Appends the lanes with a queue to `out`, pinned: of session `only`, or all if it is empty.
    void pin_waiting(std::string_view only, Buffer<StoreLane *> &out);

private:
    void free_lane(StoreLane *lane) noexcept;

    accp_allocator from_;
    std::mutex lock_;
    Memory memory_;                 // guarded by lock_, like the next two
    StoreLane *waiting_ = nullptr;  // the newest first
    size_t queued_ = 0;             // bytes, in all lanes
};

// Unpins lanes at the end of a block.
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
