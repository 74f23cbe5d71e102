// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See memory_backend.h: opening, and what changes sessions.
#include "store/memory_backend.h"

#include "store/store_inside.h"

namespace accp::store {

Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out) {
    if (place.name != "memory:") return fail(ACCP_ERR_ARG, 0, kNoStore);
    out = make_backend<MemoryBackend>(memory, place.writes);
    return {};
}

Status MemoryBackend::status(const StatusSink &sink) {
    if (sink({}, "kind", "memory")) (void)sink({}, "acknowledged", "gone when the store is closed");
    return {};
}

Status MemoryBackend::open_session(std::string_view id, bool writes, SessionRow &out) {
    if (writes && !writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    MemorySession *session = find(id);
    if (!session && !writes) return fail(ACCP_E2001, 0, kNoSession);
    if (!session) session = make(id);
    if (writes) ++session->row.fence;
    out = session->row;
    return {};
}

Status MemoryBackend::write(CommitQueue &queue, bool) {
    Made made(*this);
    Status status;
    queue.each_session([&](OpenSession &open) {
        if (open.new_id.empty() || status.failed()) return;
        if (find(open.new_id)) status = fail(ACCP_ERR_BUSY, 0, kIsThere);
        if (status.ok()) open.row.number = make(open.new_id)->row.number;
        open.row.fence = 0;
    });
    if (status.failed()) return status;
    queue.each_session([this](OpenSession &open) {
        SessionRow now;
        (void)check(open, true, now);  // which marks it
    });
    Copies copies(*this);
    queue.each_session([&](OpenSession &open) {
        if (!open.lost) prepare(open, queue);
    });
    size_t next = 0;  // nothing from here on takes memory
    queue.each_session([&](OpenSession &open) {
        if (open.lost) return;
        MemorySession &session = *at(open.row.number);
        queue.each_of(open, [&](const StoreOp &op) {
            session.apply(op, MemorySession::is_kept(op) ? copies_[next++] : nullptr);
        });
        session.row = open.row;
        open.tail.clear();
    });
    copies_.clear();
    made.before = sessions_.size();
    return {};
}

Status MemoryBackend::prune(const PrunePolicy &policy, uint64_t &pruned) {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    pruned = 0;
    for (size_t i = 0; i < sessions_.size(); ++i) {
        if (!sessions_[i]) continue;
        MemorySession &session = *sessions_[i];
        uint64_t below = pruned_below(policy, session.row);
        pruned += session.drop_if(session.blobs, [&](const StoreOp &op) {
            return has_expired(op.number, policy.now) || (op.generation && op.generation < below);
        });
        pruned += session.drop_if(
            session.grants, [&](const StoreOp &op) { return has_expired(op.number, policy.now); });
    }
    return {};
}

Status MemoryBackend::erase_session(std::string_view id) {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    MemorySession *session = find(id);
    if (!session) return fail(ACCP_E2001, 0, kNoSession);
    for (size_t i = 0; i < sessions_.size(); ++i)
        if (sessions_[i])
            sessions_[i]->drop_if(sessions_[i]->grants,
                                  [&](const StoreOp &op) { return op.bytes() == session->name(); });
    sessions_[session->row.number - 1] = nullptr;
    end(session);
    return {};
}

Status MemoryBackend::check(OpenSession &open, bool, SessionRow &now) {
    MemorySession *session = at(open.row.number);
    open.erased = !session;
    open.lost |= !session || (open.writes && session->row.fence != open.row.fence);
    if (session) now = session->row;
    return {};
}

void MemoryBackend::prepare(const OpenSession &open, const CommitQueue &queue) {
    MemorySession &session = *at(open.row.number);
    size_t waiting = 0, records = 0, record_bytes = 0;
    queue.each_of(open, [&](const StoreOp &op) {
        session.reserve(op, waiting++);
        if (op.kind == StoreOp::kAppend) ++records, record_bytes += op.bytes_len;
        if (!MemorySession::is_kept(op)) return;
        copies_.reserve(1);
        copies_.push(copy(op));
    });
    if (records) session.log.reserve(records, record_bytes, scratch_);
}

StoreOp *MemoryBackend::copy(const StoreOp &op) {
    StoreOp head = op;
    std::string_view bytes = op.bytes();
    if (op.kind == StoreOp::kPut) {
        scratch_.packed.recycle(kKeptBytes);
        scratch_.packer.pack(bytes, scratch_.packed);
        bytes = scratch_.packed.view();
        head.bytes_len = static_cast<uint32_t>(bytes.size());
        head.unpacked = head.bytes_len < op.bytes_len ? op.bytes_len : 0;
    }
    char *copied = static_cast<char *>(memory_.allocate(head.size()));
    std::memcpy(copied, &head, sizeof head);
    char *to = copied + sizeof head;
    to += op.key().copy(to, op.key_len);
    bytes.copy(to, bytes.size());
    return reinterpret_cast<StoreOp *>(copied);
}

MemorySession *MemoryBackend::make(std::string_view id) {
    sessions_.reserve(1);
    by_id_.reserve(1,
                   [this](uint64_t number) { return at(number) ? hash(at(number)->name()) : 0; });
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.release(room, sizeof(MemorySession)); }
    } room = {memory_, memory_.allocate(sizeof(MemorySession))};
    MemorySession *made = new (room.room) MemorySession(memory_, id, seed_);
    room.room = nullptr;
    sessions_.push(made);
    made->row.number = sessions_.size();
    by_id_.add(hash(id), sessions_.size());
    return made;
}

void MemoryBackend::end(MemorySession *session) {
    if (!session) return;
    session->~MemorySession();
    memory_.release(session, sizeof(MemorySession));
}

}  // namespace accp::store
