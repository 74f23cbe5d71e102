// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See lane.h.
#include "store/lane.h"

#include <new>

#include "store/store_inside.h"

namespace accp::store {

StoreLane::~StoreLane() {
    queue.each([this](CommitQueue::Commit &commit) {  // each session once: with its last commit
        if (!commit.next && commit.session->closed) release(commit.session->handle);
    });
    end_backend(memory, backend);
    if (is_own) memory.release(const_cast<char *>(id.data()), id.size());
}

void StoreLane::release(StoreSession *session) noexcept {
    session->~StoreSession();
    memory.release(session, sizeof(StoreSession));
    if (is_own) is_over = true;
}

Status StoreLane::write() {
    if (queue.empty()) return {};
    Status status = backend->write(queue);
    if (status.ok()) note_written();
    return status;
}

void StoreLane::note_written() {
    queue.each([this](CommitQueue::Commit &commit) {
        if (commit.next) return;
        OpenSession &session = *commit.session;
        session.written = session.row.last;
        session.written_version = session.row.version;
        session.first = session.newest = session.taken = 0;
        if (session.closed) release(session.handle);
    });
    queue.clear();
    lanes.count(*this);
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
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.release(room, sizeof(StoreLane)); }
    } room = {memory_, memory_.allocate(sizeof(StoreLane))};
    auto *made = new (room.room) StoreLane(*this, from_);
    char *kept = static_cast<char *>(made->memory.allocate(id.size()));
    id.copy(kept, id.size());
    made->id = {kept, id.size()};
    made->is_own = made->is_over = true;  // until it has a handle
    made->pins = 1;
    room.room = nullptr;
    return made;
}

// After the lock of the lanes, or where nobody else has them.
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
    if (--lane->pins == 0 && lane->is_over) free_lane(lane);
}

void StoreLanes::count(StoreLane &lane) noexcept {
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
