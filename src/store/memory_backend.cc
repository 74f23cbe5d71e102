// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The back end in memory: for tests, for hosts that need no persistence, and as the reference for
// the other back ends.
#include "store/memory_session.h"
#include "store/store_impl.h"

namespace accp::store {

namespace {

class MemoryBackend final : public Backend {
public:
    MemoryBackend(Memory &memory, bool writes)
        : memory_(memory),
          sessions_(memory),
          by_id_(memory),
          copies_(memory),
          scratch_(memory),
          seed_(random_seed()),
          writes_(writes) {}
    ~MemoryBackend() override {
        for (size_t i = 0; i < sessions_.size(); ++i) destroy(sessions_[i]);
    }

    bool is_durable_at_once() const override { return true; }

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status write(CommitQueue &queue, bool to_device) override;
    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status erase_session(std::string_view id) override;
    Status check(OpenSession &open, bool fresh, SessionRow &now) override;

    Status state(const OpenSession &open, Buffer<char> &out) override;
    Status scan(const OpenSession &open, uint64_t first, uint64_t last, bool newest_first,
                size_t max_bytes, StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                Buffer<char> &out) override;
    Status read_tail(OpenSession &) override { return {}; }
    Status has_mid(OpenSession &open, uint64_t word, bool &out) override;
    Status find_shared(const SharedBlob &wanted, const OpenSession &grantee, BlobRow &row,
                       Buffer<char> *out) override;
    Status verify(void (*)(const Damage &, void *), void *) override { return {}; }
    Status status(const StatusSink &sink) override;
    Status stats(StoreStats &out) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;

private:
    // Frees the copies of operations that no session has taken over.
    struct PendingCopies {
        explicit PendingCopies(MemoryBackend &of) : backend(of) {}
        ~PendingCopies() {
            for (size_t i = 0; i < backend.copies_.size(); ++i)
                backend.memory_.release(backend.copies_[i], backend.copies_[i]->size());
            backend.copies_.clear();
        }
        MemoryBackend &backend;
    };

    // Erases the sessions that a write created, unless it succeeds.
    struct NewSessions {
        explicit NewSessions(MemoryBackend &of) : backend(of), before(of.sessions_.size()) {}
        ~NewSessions() {
            for (size_t i = before; i < backend.sessions_.size(); ++i) {
                backend.destroy(backend.sessions_[i]);
                backend.sessions_[i] = nullptr;
            }
        }
        MemoryBackend &backend;
        size_t before;
    };

    static Status erased_error() { return fail(ACCP_ERR_CLOSED, 0, kErased); }

    void prepare(const OpenSession &open, const CommitQueue &queue);
    StoreOp *copy(const StoreOp &op);
    static void read_bytes(const StoreOp &op, Buffer<char> &out);
    MemorySession *at(uint64_t number) { return sessions_[number - 1]; }
    uint64_t hash(std::string_view id) const { return seeded_hash(id.data(), id.size(), seed_); }
    MemorySession *find(std::string_view id) {
        uint64_t number = by_id_.find(
            hash(id), [&](uint64_t number) { return at(number) && at(number)->name() == id; });
        return number ? at(number) : nullptr;
    }
    MemorySession *make(std::string_view id);
    void destroy(MemorySession *session);

    Memory &memory_;
    Buffer<MemorySession *> sessions_;  // by number, from 1; NULL: erased
    Slots by_id_;
    Buffer<StoreOp *> copies_;
    MemoryScratch scratch_;
    uint64_t seed_;
    bool writes_;
};

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
    NewSessions made(*this);
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
        (void)check(open, true, now);  // marks the session if it is lost
    });
    PendingCopies copies(*this);
    queue.each_session([&](OpenSession &open) {
        if (!open.is_lost) prepare(open, queue);
    });
    size_t next = 0;  // nothing allocates memory from here on
    queue.each_session([&](OpenSession &open) {
        if (open.is_lost) return;
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
    destroy(session);
    return {};
}

Status MemoryBackend::check(OpenSession &open, bool, SessionRow &now) {
    MemorySession *session = at(open.row.number);
    open.is_erased = !session;
    open.is_lost |= !session || (open.writes && session->row.fence != open.row.fence);
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
    struct Allocation {
        Memory &memory;
        void *room;
        ~Allocation() { memory.release(room, sizeof(MemorySession)); }
    } room = {memory_, memory_.allocate(sizeof(MemorySession))};
    MemorySession *made = new (room.room) MemorySession(memory_, id, seed_);
    room.room = nullptr;
    sessions_.push(made);
    made->row.number = sessions_.size();
    by_id_.add(hash(id), sessions_.size());
    return made;
}

void MemoryBackend::destroy(MemorySession *session) {
    if (!session) return;
    session->~MemorySession();
    memory_.release(session, sizeof(MemorySession));
}

Status MemoryBackend::state(const OpenSession &open, Buffer<char> &out) {
    MemorySession *session = at(open.row.number);
    out.clear();
    if (session && session->state) out.assign(session->state->bytes());
    return session ? Status{} : erased_error();
}

Status MemoryBackend::scan(const OpenSession &open, uint64_t first, uint64_t last,
                           bool newest_first, size_t max_bytes, StoreRecords &out) {
    MemorySession *session = at(open.row.number);
    if (!session) return erased_error();
    session->log.each(first, last, newest_first, scratch_, [&](uint64_t seq, std::string_view it) {
        out.add(seq, it);
        return out.bytes() < max_bytes;
    });
    return {};
}

// Replaces `out`.
void MemoryBackend::read_bytes(const StoreOp &op, Buffer<char> &out) {
    out.clear();
    if (op.unpacked) (void)lz_unpack(op.bytes(), op.unpacked, out);
    else out.append(op.bytes());
}

Status MemoryBackend::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                           Buffer<char> &out) {
    MemorySession *session = at(number);
    const StoreOp *found = session ? session->find_blob(tier, key) : nullptr;
    if (!found) return session ? fail(ACCP_E2001, 0, kNoBlob) : erased_error();
    row = {found->tier, found->number, found->generation};
    read_bytes(*found, out);
    return {};
}

Status MemoryBackend::has_mid(OpenSession &open, uint64_t word, bool &out) {
    MemorySession *session = at(open.row.number);
    out = session && session->has_mid(word);
    return session ? Status{} : erased_error();
}

Status MemoryBackend::find_shared(const SharedBlob &wanted, const OpenSession &grantee,
                                  BlobRow &row, Buffer<char> *out) {
    MemorySession *from = find(wanted.owner), *to = at(grantee.row.number);
    if (!to) return erased_error();
    for (size_t i = 0; from && i < from->grants.size(); ++i) {
        const StoreOp &grant = *from->grants[i];
        if (grant.bytes() != to->name() || !wanted.name.starts_with(grant.key()) ||
            has_expired(grant.number, wanted.now))
            continue;
        return out ? blob(from->row.number, wanted.tier, wanted.key, row, *out) : Status{};
    }
    return fail(ACCP_E5002, 0, kNotGranted);
}

Status MemoryBackend::stats(StoreStats &out) {
    out = {};
    for (size_t i = 0; i < sessions_.size(); ++i) {
        if (!sessions_[i]) continue;
        const MemorySession &session = *sessions_[i];
        ++out.sessions;
        out.records += session.log.size();
        out.blobs += session.blobs.size();
        out.grants += session.grants.size();
        out.mids += session.mids.count();
        out.record_bytes += session.log.bytes();
        for (size_t at = 0; at < session.blobs.size(); ++at) {
            const StoreOp &blob = *session.blobs[at];
            out.blob_bytes += blob.unpacked ? blob.unpacked : blob.bytes_len;
        }
    }
    return {};
}

Status MemoryBackend::next_session(uint64_t &after, Buffer<char> &out) {
    while (after < sessions_.size()) {
        MemorySession *session = at(++after);
        if (!session) continue;
        out.assign(session->name());
        return {};
    }
    return fail(ACCP_E2001, 0, kNoSession);
}

Status MemoryBackend::export_session(std::string_view id, SessionSink &sink) {
    MemorySession *session = find(id);
    if (!session) return fail(ACCP_E2001, 0, kNoSession);
    Status status =
        sink.row(id, session->row, session->state ? session->state->bytes() : std::string_view());
    if (session->log.size())
        session->log.each(1, session->log.size(), false, scratch_,
                          [&](uint64_t seq, std::string_view it) {
                              if (status.ok()) status = sink.record(seq, it);
                              return status.ok();
                          });
    Buffer<char> bytes(memory_);
    for (size_t i = 0; status.ok() && i < session->blobs.size(); ++i) {
        const StoreOp &blob = *session->blobs[i];
        read_bytes(blob, bytes);
        status = sink.blob(blob.key(), {blob.tier, blob.number, blob.generation}, bytes.view());
    }
    for (size_t i = 0; status.ok() && i < session->grants.size(); ++i) {
        const StoreOp &grant = *session->grants[i];
        status = sink.grant(grant.bytes(), grant.key(), grant.number);
    }
    session->mids.each([&](uint64_t kept) {
        if (status.ok()) status = sink.mid(kept - 1);
    });
    return status;
}

}  // namespace

Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out) {
    if (place.name != "memory:") return fail(ACCP_ERR_ARG, 0, kNoStore);
    out = make_backend<MemoryBackend>(memory, place.writes);
    return {};
}

}  // namespace accp::store
