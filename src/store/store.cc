// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/store.h"

#include <algorithm>
#include <new>

#include "store/plugin_backend.h"
#include "store/store_impl.h"

namespace accp::store {

namespace {

// Closes the host's back end, unless a PluginContext has taken it over.
struct BackendUserGuard {
    const accp_store_backend &table;
    void *user;
    bool wanted = true;
    ~BackendUserGuard() {
        if (wanted) table.close(user);
    }
};

// Unlocks lanes at the end of a block.
struct LockedLanes {
    explicit LockedLanes(Memory &memory) : all(memory) {}
    ~LockedLanes() {
        for (StoreLane *lane : all) lane->lock.unlock();
    }
    Buffer<StoreLane *> all;
};

void destroy_plugin(Memory &memory, PluginContext *plugin) {
    if (!plugin) return;
    plugin->~PluginContext();
    memory.release(plugin, sizeof(PluginContext));
}

}  // namespace

Store::Store(const Settings &settings)
    : settings_(settings),
      cap_(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
      memory_(cap_.allocator(), UINT64_MAX) {}

Store::~Store() { destroy(); }

void Store::destroy() {
    if (!impl_) return;
    PluginContext *plugin = impl_->plugin;
    impl_->~Impl();
    memory_.release(impl_, sizeof(Impl));
    impl_ = nullptr;
    destroy_plugin(memory_, plugin);
}

Status Store::open(const StorePlace &place) {
    destroy();
    impl_ = new (memory_.allocate(sizeof(Impl))) Impl(cap_.allocator(), nullptr, place.writes);
    StoreLane &main = impl_->main;
    Status status = open_memory_backend(main.memory, place, main.backend);
    if (status.code == ACCP_ERR_ARG && !main.backend)
        status = open_sqlite_backend(main.memory, place, main.backend);
    if (status.failed()) destroy();
    return status;
}

Status Store::open(const accp_store_backend &backend, void *user, bool writes) {
    BackendUserGuard held = {backend, user};
    destroy();
    struct Holder {
        Memory &memory;
        void *room;
        PluginContext *plugin = nullptr;
        ~Holder() {
            if (plugin) destroy_plugin(memory, plugin);
            else memory.release(room, sizeof(PluginContext));
        }
    } holder = {memory_, memory_.allocate(sizeof(PluginContext))};
    holder.plugin = new (holder.room) PluginContext(cap_.allocator(), backend, user);
    held.wanted = false;
    impl_ = new (memory_.allocate(sizeof(Impl))) Impl(cap_.allocator(), holder.plugin, writes);
    PluginContext &plugin = *holder.plugin;
    holder.plugin = nullptr, holder.room = nullptr;
    StoreLane &main = impl_->main;
    main.backend = make_backend<PluginBackend>(main.memory, plugin, writes);
    return {};
}

// Writes all lanes that are not in use as one group, one lane for each session. Then waits for the
// lanes in use one by one, holding no other lane, so no session waits for another session's write.
Status Store::Impl::write_lanes(std::string_view only) {
    if (!plugin) return {};
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
        status = accp::store::write_lanes(*plugin, pinned.memory, ours.all);
    }
    for (StoreLane *lane : busy) {
        std::lock_guard<std::mutex> held(lane->lock);
        const Status one = lane->write(false);
        if (status.ok()) status = one;
    }
    return status;
}

// Writes queued commits first, because an earlier writer's commits were accepted.
Status Store::open_session(std::string_view id, bool writes, StoreSession *&out) {
    if (id.empty() || id.size() > kMaxSessionIdBytes) return fail(ACCP_ERR_ARG, 0, kBadSessionId);
    if (!impl_->plugin) {
        std::unique_lock<std::mutex> held(impl_->main.lock);
        impl_->main.begin_write(held);
        Status status = impl_->main.write(false);
        return status.failed() ? status : open_in(impl_->main, id, writes, out);
    }
    Status status = impl_->write_lanes(id);
    if (status.failed()) return status;
    PinnedLanes made(impl_->lanes);
    made.all.reserve(1);
    made.all.push(impl_->lanes.make(id));
    StoreLane &lane = *made.all[0];
    std::lock_guard<std::mutex> held(lane.lock);
    lane.backend = make_backend<PluginBackend>(lane.memory, *impl_->plugin, impl_->may_write);
    return open_in(lane, id, writes, out);
}

// Call it with the lane's lock held.
Status Store::open_in(StoreLane &lane, std::string_view id, bool writes, StoreSession *&out) {
    struct Allocation {
        Memory &memory;
        void *room;
        ~Allocation() { memory.release(room, sizeof(StoreSession)); }
    } room = {lane.memory, lane.memory.allocate(sizeof(StoreSession))};
    SessionRow row;
    Status status = lane.backend->open_session(id, writes, row);
    if (status.failed()) return status;
    out = new (room.room) StoreSession(*this, lane, lane.memory, row, writes);
    room.room = nullptr;
    if (lane.is_own) lane.handle_gone = false;
    return {};
}

Status Store::sync() {
    const Status status = impl_->write_lanes({});
    if (status.failed()) return status;
    std::unique_lock<std::mutex> lock(impl_->main.lock, std::defer_lock);
    return impl_->main.sync(lock, nullptr);
}

Status Store::close() { return impl_ ? sync() : Status{}; }

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
    std::lock_guard<std::mutex> held(impl_->main.lock);
    return impl_->main.backend->status(sink);
}

Status Store::erase_session(std::string_view id) {
    if (id.size() > kMaxSessionIdBytes) return fail(ACCP_E2001, 0, kNoSession);
    return after_writing(id, [&](Backend &backend) { return backend.erase_session(id); });
}

Status Store::next_session(uint64_t &after, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(impl_->main.lock);
    return impl_->main.backend->next_session(after, out);
}

}  // namespace accp::store
