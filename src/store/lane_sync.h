// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

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
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/status.h"

namespace accp::store {

struct LaneSync {
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
    bool has_answer(uint64_t began, uint64_t commit, Status &out) const {
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

}  // namespace accp::store
