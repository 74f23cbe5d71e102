// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See store.h: the store. session.cc has what its sessions do.
#include "store/store.h"

#include <algorithm>
#include <new>

#include "store/plugin_backend.h"
#include "store/store_impl.h"

namespace accp::store {

namespace {

// What a host gave, until a place ends it: also where there is no memory for one.
struct HostsUser {
    const accp_store_backend &table;
    void *user;
    bool wanted = true;
    ~HostsUser() {
        if (wanted) table.close(user);
    }
};

// The locks of lanes, until the end of a block.
struct LockedLanes {
    explicit LockedLanes(Memory &memory) : all(memory) {}
    ~LockedLanes() {
        for (StoreLane *lane : all) lane->lock.unlock();
    }
    Buffer<StoreLane *> all;
};

void end_place(Memory &memory, PluginPlace *place) {
    if (!place) return;
    place->~PluginPlace();
    memory.release(place, sizeof(PluginPlace));
}

}  // namespace

Store::Store(const Settings &settings)
    : settings_(settings),
      cap_(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
      memory_(cap_.allocator(), UINT64_MAX) {}

Store::~Store() { end(); }

void Store::end() {
    if (!inside_) return;
    PluginPlace *place = inside_->place;
    inside_->~Inside();
    memory_.release(inside_, sizeof(Inside));
    inside_ = nullptr;
    end_place(memory_, place);
}

// Each begins with the end of an attempt for which there was no memory.
Status Store::open(const StorePlace &place) {
    end();
    inside_ =
        new (memory_.allocate(sizeof(Inside))) Inside(cap_.allocator(), nullptr, place.writes);
    StoreLane &main = inside_->main;
    Status status = open_memory_backend(main.memory, place, main.backend);
    if (status.code == ACCP_ERR_ARG && !main.backend)
        status = open_sqlite_backend(main.memory, place, main.backend);
    if (status.failed()) end();
    return status;
}

Status Store::open(const accp_store_backend &backend, void *user, bool writes) {
    HostsUser held = {backend, user};
    end();
    struct Holder {
        Memory &memory;
        void *room;
        PluginPlace *place = nullptr;
        ~Holder() {
            if (place) end_place(memory, place);
            else memory.release(room, sizeof(PluginPlace));
        }
    } holder = {memory_, memory_.allocate(sizeof(PluginPlace))};
    holder.place = new (holder.room) PluginPlace(cap_.allocator(), backend, user);
    held.wanted = false;
    inside_ = new (memory_.allocate(sizeof(Inside))) Inside(cap_.allocator(), holder.place, writes);
    PluginPlace &place = *holder.place;
    holder.place = nullptr, holder.room = nullptr;
    StoreLane &main = inside_->main;
    main.backend = make_backend<PluginBackend>(main.memory, place, writes);
    return {};
}

// Those that nobody works with go together, one of each session; each of the others when it is
// free: who waits in the back end with one session's lock is not waited for with another's.
Status Store::Inside::write_lanes(std::string_view only) {
    if (!place) return {};
    PinnedLanes pinned(lanes);
    lanes.pin_waiting(only, pinned.all);
    Buffer<StoreLane *> busy(pinned.memory);
    Status status;
    {
        LockedLanes ours(pinned.memory);
        ours.all.reserve(pinned.all.size());
        busy.reserve(pinned.all.size());
        std::sort(pinned.all.begin(), pinned.all.end(),
                  [](const StoreLane *a, const StoreLane *b) { return a->id < b->id; });
        const StoreLane *before = nullptr;
        for (StoreLane *lane : pinned.all) {
            const bool goes = !(before && before->id == lane->id) && lane->lock.try_lock();
            (goes ? ours.all : busy).push(lane);
            before = lane;
        }
        status = accp::store::write_lanes(*place, pinned.memory, ours.all);
    }
    for (StoreLane *lane : busy) {
        std::lock_guard<std::mutex> held(lane->lock);
        const Status one = lane->write(false);
        if (status.ok()) status = one;
    }
    return status;
}

// An earlier writer's commits were accepted: they come first.
Status Store::open_session(std::string_view id, bool writes, StoreSession *&out) {
    if (id.empty() || id.size() > kMaxSessionIdBytes)
        return fail(ACCP_ERR_ARG, 0, "a session id has 1 to 256 bytes");
    if (!inside_->place) {
        std::unique_lock<std::mutex> held(inside_->main.lock);
        inside_->main.begin_write(held);
        Status status = inside_->main.write(false);
        return status.failed() ? status : open_in(inside_->main, id, writes, out);
    }
    Status status = inside_->write_lanes(id);
    if (status.failed()) return status;
    PinnedLanes made(inside_->lanes);
    made.all.reserve(1);
    made.all.push(inside_->lanes.make(id));
    StoreLane &lane = *made.all[0];
    std::lock_guard<std::mutex> held(lane.lock);
    lane.backend = make_backend<PluginBackend>(lane.memory, *inside_->place, inside_->may_write);
    return open_in(lane, id, writes, out);
}

// After the lane's lock.
Status Store::open_in(StoreLane &lane, std::string_view id, bool writes, StoreSession *&out) {
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.release(room, sizeof(StoreSession)); }
    } room = {lane.memory, lane.memory.allocate(sizeof(StoreSession))};
    SessionRow row;
    Status status = lane.backend->open_session(id, writes, row);
    if (status.failed()) return status;
    out = new (room.room) StoreSession(*this, lane, lane.memory, row, writes);
    room.room = nullptr;
    if (lane.is_own) lane.is_over = false;
    return {};
}

Status Store::sync() {
    const Status status = inside_->write_lanes({});
    if (status.failed()) return status;
    std::unique_lock<std::mutex> lock(inside_->main.lock, std::defer_lock);
    return inside_->main.sync(lock, nullptr);
}

Status Store::close() { return inside_ ? sync() : Status{}; }

Status Store::prune(const PrunePolicy &policy, uint64_t &pruned) {
    return after_writing({}, [&](Backend &backend) { return backend.prune(policy, pruned); });
}

Status Store::verify(void (*report)(const Damage &damage, void *user), void *user) {
    return after_writing({}, [&](Backend &backend) { return backend.verify(report, user); });
}

Status Store::stats(StoreStats &out) {
    return after_writing({}, [&](Backend &backend) { return backend.stats(out); });
}

Status Store::status(const StatusSink &sink) {
    std::lock_guard<std::mutex> held(inside_->main.lock);
    return inside_->main.backend->status(sink);
}

Status Store::erase_session(std::string_view id) {
    return after_writing(id, [&](Backend &backend) { return backend.erase_session(id); });
}

Status Store::next_session(uint64_t &after, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(inside_->main.lock);
    return inside_->main.backend->next_session(after, out);
}

}  // namespace accp::store
