// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How far the commits of a lane have come, and the sync that its threads share.
//
// Of the threads that want their commits on the device one is the leader: it writes what is queued
// as one group, and waits for the device without the lane's lock. Meanwhile others commit, read,
// and come to wait for the next sync, which one of them leads. So a thread waits for two syncs at
// most, however many there are, and what they wait for is shared by all.
//
// While a sync waits for the device nothing else is written there: the kernel tells of a failure
// once, and whoever wrote meanwhile would take the device for whole.
//
// A commit has a number: how many there have been. A sync brings `durable` to the newest commit
// that was queued when it wrote. A sync that fails tells each thread that waited for such a commit,
// and nobody else; the next call tries anew.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/status.h"

namespace accp::store {

struct LaneSync {
    uint64_t committed = 0;  // guarded by the lane's lock, as all but `ended`
    uint64_t durable = 0;

    bool has_leader = false;
    uint64_t target = 0;    // of the sync that runs: the newest commit that is in it
    uint64_t expected = 0;  // threads that may come to the next sync: all that were in the last two
    uint32_t writers = 0;   // threads that wait to write something else
    std::condition_variable idle;  // of writers
    // Syncs that have ended, which is the number of the one that runs or comes next.
    std::atomic<uint64_t> ended{0};
    // Threads that wait for the sync that runs and for the one after it, by the last bit of its
    // number.
    struct Turn {
        std::condition_variable over;
        uint64_t waiting = 0;
    } turns[2];

    uint64_t failed = 0;         // how many had ended with the last one that failed
    uint64_t failed_commit = 0;  // the newest commit that was in it
    Status failure;

    Turn &turn(uint64_t number) { return turns[number & 1]; }

    // The answer to a call that began when `began` syncs had ended and waits for `commit`; false:
    // there is none yet.
    bool has_answer(uint64_t began, uint64_t commit, Status &out) const {
        if (durable >= commit) return true;
        if (failed <= began || failed_commit < commit) return false;
        out = failure;
        return true;
    }
    // Without a sync of threads: who waits for one need not.
    void note_durable() {
        durable = committed;
        for (Turn &turn : turns) turn.over.notify_all();
    }
    // Until the sync that has this commit in it is over, or there is one to lead.
    void wait(std::unique_lock<std::mutex> &held, uint64_t commit) {
        const uint64_t number = ended + (has_leader && commit > target);
        ++turn(number).waiting;
        turn(number).over.wait(held);
        if (ended <= number) --turn(number).waiting;
    }
    // All that were in the sync that runs are told, and of those that wait for the next one leads.
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
