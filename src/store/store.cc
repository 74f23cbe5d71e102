// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See store.h: the store. session.cc has what its sessions do.
#include "store/store.h"

#include <new>

#include "store/plugin_backend.h"
#include "store/store_inside.h"

namespace accp::store {

Store::Store(const Settings &settings)
    : settings_(settings), memory_(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)) {}

Store::~Store() {
    if (!inside_) return;
    inside_->release_closed();
    end_backend(memory_, inside_->backend);
    inside_->~Inside();
    memory_.release(inside_, sizeof(Inside));
}

Status Store::open(const StorePlace &place) {
    Backend *backend = nullptr;
    Status status = open_memory_backend(memory_, place, backend);
    if (status.code == ACCP_ERR_ARG && !backend)
        status = open_sqlite_backend(memory_, place, backend);
    if (status.ok()) begin(backend);
    return status;
}

Status Store::open(const accp_store_backend &backend, void *user, bool writes) {
    struct User {  // ends also where there is no memory for what would end it
        const accp_store_backend &table;
        void *user;
        bool wanted = true;
        ~User() {
            if (wanted) table.close(user);
        }
    } held = {backend, user};
    Backend *made = make_backend<PluginBackend>(memory_, backend, user, writes);
    held.wanted = false;
    begin(made);
    return {};
}

void Store::begin(Backend *backend) {
    struct Holder {
        Memory &memory;
        Backend *backend;
        ~Holder() { end_backend(memory, backend); }
    } holder = {memory_, backend};
    inside_ = new (memory_.allocate(sizeof(Inside))) Inside(memory_, *backend);
    holder.backend = nullptr;
}

// All that is queued becomes durable, or stays where it is.
Status Store::Inside::write() {
    if (queue.empty()) return {};
    Status status = backend->write(queue);
    if (status.failed()) return status;
    queue.each([](CommitQueue::Commit &commit) {
        if (commit.next) return;
        OpenSession &session = *commit.session;
        session.written = session.row.last;
        session.written_version = session.row.version;
        session.first = session.newest = session.taken = 0;
    });
    release_closed();
    queue.clear();
    return {};
}

// Each session once: with the last of its commits.
void Store::Inside::release_closed() {
    queue.each([this](CommitQueue::Commit &commit) {
        if (!commit.next && commit.session->closed) release(commit.session->handle);
    });
}

void Store::Inside::release(StoreSession *session) {
    session->~StoreSession();
    memory.release(session, sizeof(StoreSession));
}

Status Store::open_session(std::string_view id, bool writes, StoreSession *&out) {
    if (id.empty() || id.size() > kMaxSessionIdBytes)
        return fail(ACCP_ERR_ARG, 0, "a session id has 1 to 256 bytes");
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();  // an earlier writer's commits were accepted: they come first
    if (status.failed()) return status;
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.release(room, sizeof(StoreSession)); }
    } room = {memory_, memory_.allocate(sizeof(StoreSession))};
    SessionRow row;
    status = inside_->backend->open_session(id, writes, row);
    if (status.failed()) return status;
    out = new (room.room) StoreSession(*this, memory_, row, writes);
    room.room = nullptr;
    return {};
}

Status Store::sync() {
    std::lock_guard<std::mutex> held(inside_->lock);
    return inside_->write();
}

Status Store::close() { return inside_ ? sync() : Status{}; }

Status Store::prune(const PrunePolicy &policy, uint64_t &pruned) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->prune(policy, pruned);
}

Status Store::verify(void (*report)(const Damage &damage, void *user), void *user) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->verify(report, user);
}

Status Store::stats(StoreStats &out) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->stats(out);
}

Status Store::erase_session(std::string_view id) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->erase_session(id);
}

Status Store::next_session(uint64_t &after, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(inside_->lock);
    return inside_->backend->next_session(after, out);
}

}  // namespace accp::store
