// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/lane.h"

#include <sched.h>

#include <algorithm>
#include <new>

#include "store/store_impl.h"

namespace accp::store {

namespace {

// How often a leader yields the processor before it continues, if nobody commits.
constexpr int kIdleTurns = 3;

}  // namespace

StoreLane::~StoreLane() {
    queue.each([this](CommitQueue::Commit &commit) {  // each session once, at its last commit
        if (!commit.next && commit.session->is_closed) release(commit.session->handle);
    });
    destroy_backend(memory, backend);
    if (is_own) memory.release(const_cast<char *>(id.data()), id.size());
}

void StoreLane::release(StoreSession *session) noexcept {
    session->~StoreSession();
    memory.release(session, sizeof(StoreSession));
    if (is_own) handle_gone = true;
}

Status StoreLane::write(bool to_device) {
    if (queue.empty()) return {};
    Status status = backend->write(queue, to_device);
    if (status.ok()) note_written(to_device || !backend->flushes_apart());
    return status;
}

Status StoreLane::sync(std::unique_lock<std::mutex> &unlocked, const OpenSession *session) {
    const uint64_t began = progress.ended;
    unlocked.lock();
    const uint64_t commit = session ? session->newest_commit : progress.committed;
    Status status;
    while (!progress.find_result(began, commit, status)) {
        if (!progress.has_leader && !progress.writers) return lead_sync(unlocked);
        progress.wait(unlocked, commit);
    }
    return status;
}

// Writers go before threads that want to sync, because new syncs never stop coming.
void StoreLane::begin_write(std::unique_lock<std::mutex> &held) {
    if (!progress.has_leader) return;
    ++progress.writers;
    while (progress.has_leader) progress.idle.wait(held);
    if (--progress.writers == 0) progress.turn(progress.ended).over.notify_one();
}

// Runs one sync for everything that is queued when it writes.
Status StoreLane::lead_sync(std::unique_lock<std::mutex> &held) {
    struct SyncEnd {
        GroupSync &progress;
        ~SyncEnd() { progress.end(); }
    } end{progress};
    progress.has_leader = true;
    progress.target = UINT64_MAX;
    await_others(held);
    progress.target = progress.committed;
    const Status status = write_to_device(held);
    if (status.ok()) {
        progress.durable = std::max(progress.durable, progress.target);
    } else {
        progress.failed = progress.ended + 1;
        progress.failed_commit = progress.target;
        progress.failure = status;
    }
    return status;
}

// The threads that the last sync released are about to commit again. Without them this sync would
// serve few threads, and they would wait for it. It continues as soon as no more of them commit. A
// thread that syncs alone does not yield.
void StoreLane::await_others(std::unique_lock<std::mutex> &held) {
    const GroupSync::Turn &mine = progress.turn(progress.ended);
    uint64_t seen = progress.committed;
    for (int turn = 0; turn < kIdleTurns && mine.waiting + 1 < progress.expected; ++turn) {
        held.unlock();
        sched_yield();
        held.lock();
        if (progress.committed != seen) turn = 0;
        seen = progress.committed;
    }
}

Status StoreLane::write_to_device(std::unique_lock<std::mutex> &held) {
    Status status = write(false);
    if (status.failed() || !backend->flushes_apart()) return status;
    status = backend->begin_flush();
    if (status.failed()) return status;
    held.unlock();
    const Status flushed = backend->flush();
    held.lock();
    return backend->end_flush(flushed);
}

void StoreLane::note_written(bool is_durable) {
    if (is_durable) progress.note_durable();
    queue.each([this](CommitQueue::Commit &commit) {
        if (commit.next) return;
        OpenSession &session = *commit.session;
        session.written = session.row.last;
        session.written_version = session.row.version;
        session.first = session.newest = session.written_ops = 0;
        if (session.is_closed) release(session.handle);
    });
    queue.clear();
    lanes.update_queued(*this);
}

StoreLanes::~StoreLanes() {
    while (waiting_) {
        StoreLane *lane = waiting_;
        waiting_ = lane->next;
        free_lane(lane);
    }
}

StoreLane *StoreLanes::make(std::string_view id) {
    std::lock_guard<std::mutex> held(lock_);
    struct Allocation {
        Memory &memory;
        void *room;
        ~Allocation() { memory.release(room, sizeof(StoreLane)); }
    } room = {memory_, memory_.allocate(sizeof(StoreLane))};
    auto *made = new (room.room) StoreLane(*this, from_);
    char *kept = static_cast<char *>(made->memory.allocate(id.size()));
    id.copy(kept, id.size());
    made->id = {kept, id.size()};
    made->is_own = made->handle_gone = true;  // until it has a handle
    made->pins = 1;
    room.room = nullptr;
    return made;
}

// Call it with the lock of StoreLanes held, or when no other thread uses it.
void StoreLanes::free_lane(StoreLane *lane) noexcept {
    lane->~StoreLane();
    memory_.release(lane, sizeof(StoreLane));
}

void StoreLanes::pin(StoreLane &lane) {
    if (!lane.is_own) return;
    std::lock_guard<std::mutex> held(lock_);
    ++lane.pins;
}

void StoreLanes::unpin(StoreLane *lane) noexcept {
    if (!lane->is_own) return;
    std::lock_guard<std::mutex> held(lock_);
    if (--lane->pins == 0 && lane->handle_gone) free_lane(lane);
}

void StoreLanes::update_queued(StoreLane &lane) noexcept {
    std::lock_guard<std::mutex> held(lock_);
    const size_t size = lane.queue.size();
    const bool was_waiting = lane.counted != 0;
    queued_ += size - lane.counted;
    lane.counted = size;
    if (!lane.is_own || was_waiting == (size != 0)) return;
    if (size) {
        lane.previous = nullptr;
        lane.next = waiting_;
        if (waiting_) waiting_->previous = &lane;
        waiting_ = &lane;
    } else {
        (lane.previous ? lane.previous->next : waiting_) = lane.next;
        if (lane.next) lane.next->previous = lane.previous;
    }
}

bool StoreLanes::is_full(size_t extra) {
    std::lock_guard<std::mutex> held(lock_);
    return queued_ + extra > kMaxQueuedBytes;
}

void StoreLanes::pin_waiting(std::string_view only, Buffer<StoreLane *> &out) {
    std::lock_guard<std::mutex> held(lock_);
    size_t count = 0;
    for (StoreLane *lane = waiting_; lane; lane = lane->next) ++count;
    out.reserve(count);
    for (StoreLane *lane = waiting_; lane; lane = lane->next) {
        if (!only.empty() && lane->id != only) continue;
        ++lane->pins;
        out.push(lane);
    }
}

}  // namespace accp::store
