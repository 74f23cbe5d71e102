// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in memory: for tests, for hosts that need nothing kept, and as what the other backends are compared with.
#include "base/random.h"
#include "store/memory_session.h"
#include "store/store_inside.h"

namespace accp {

void MemorySession::put(Buffer<StoreOp *> &list, size_t place, bool there, StoreOp *kept) {
    if (there && kept) {
        drop(list[place]);
        list[place] = kept;
    } else if (there) {
        drop(list[place]);
        std::memmove(&list[place], &list[place] + 1, (list.size() - place - 1) * sizeof(StoreOp *));
        list.resize_down(list.size() - 1);
    } else if (kept) {
        list.room(1);
        std::memmove(list.data() + place + 1, list.data() + place, (list.size() - place) * sizeof(StoreOp *));
        list.data()[place] = kept;
        list.advance(1);
    }
}

void MemorySession::apply(const StoreOp &op, StoreOp *kept) {
    switch (op.kind) {
        case StoreOp::kAppend: log.push(kept); break;
        case StoreOp::kState:
            drop(state);
            state = kept;
            break;
        case StoreOp::kPut:
        case StoreOp::kErase: put(blobs, blob_place(op.tier, op.key()), find_blob(op.tier, op.key()) != nullptr, kept); break;
        case StoreOp::kGrant:
        case StoreOp::kRevoke: {
            size_t at = grant_place(op);
            put(grants, at, at < grants.size() && grants[at]->bytes() == op.bytes() && grants[at]->key() == op.key(), kept);
            break;
        }
        case StoreOp::kMid:
            if (!has_mid(op.number)) mids.add(hash(op.number + 1), op.number + 1);
            break;
        default: break;  // the floor is in the row
    }
}

namespace {

class MemoryBackend final : public Backend {
public:
    MemoryBackend(Memory &memory, bool writes)
        : memory_(memory), sessions_(memory), by_id_(memory), copies_(memory), seed_(random_seed()), writes_(writes) {}
    ~MemoryBackend() override {
        for (size_t i = 0; i < sessions_.size(); ++i) end(sessions_[i]);
    }

    bool is_durable_at_once() const override { return true; }

    Status open_session(std::string_view id, bool writes, SessionRow &out) override {
        if (writes && !writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
        MemorySession *session = find(id);
        if (!session && !writes) return fail(ACCP_E2001, 0, kNoSession);
        if (!session) session = make(id);
        if (writes) ++session->row.fence;
        out = session->row;
        return {};
    }

    Status write(CommitQueue &queue) override {
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
            MemorySession *session = at(open.row.number);
            open.lost |= !session || session->row.fence != open.row.fence;
        });
        Copies copies(*this);
        queue.each_session([&](OpenSession &open) {
            if (!open.lost) prepare(open, queue);
        });
        size_t next = 0;  // nothing from here on takes memory
        queue.each_session([&](OpenSession &open) {
            if (open.lost) return;
            MemorySession &session = *at(open.row.number);
            queue.each_of(open, [&](const StoreOp &op) { session.apply(op, MemorySession::is_kept(op) ? copies_[next++] : nullptr); });
            session.row = open.row;
            open.tail.clear();
        });
        copies_.clear();
        made.before = sessions_.size();
        return {};
    }

    Status state(const OpenSession &open, Buffer<char> &out) override {
        MemorySession *session = at(open.row.number);
        out.clear();
        if (session && session->state) copy(session->state->bytes(), out);
        return session ? Status{} : gone();
    }

    Status scan(const OpenSession &open, uint64_t first, uint64_t last, bool newest_first, size_t most_bytes, StoreRecords &out) override {
        MemorySession *session = at(open.row.number);
        if (!session) return gone();
        uint64_t count = last - first + 1;
        for (uint64_t i = 0; i < count && (i == 0 || out.bytes() < most_bytes); ++i) {
            uint64_t seq = newest_first ? last - i : first + i;
            out.add(seq, session->log[seq - 1]->bytes());
        }
        return {};
    }

    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out) override {
        MemorySession *session = at(number);
        const StoreOp *found = session ? session->find_blob(tier, key) : nullptr;
        if (!found) return session ? fail(ACCP_E2001, 0, kNoBlob) : gone();
        row = {found->tier, found->number, found->generation};
        copy(found->bytes(), out);
        return {};
    }

    Status read_tail(OpenSession &) override { return {}; }

    Status has_mid(OpenSession &open, uint64_t word, bool &out) override {
        MemorySession *session = at(open.row.number);
        out = session && session->has_mid(word);
        return session ? Status{} : gone();
    }

    Status find_grant(std::string_view owner, const OpenSession &grantee, std::string_view name, uint64_t now, uint64_t &number) override {
        MemorySession *from = find(owner), *to = at(grantee.row.number);
        for (size_t i = 0; from && to && i < from->grants.size(); ++i) {
            const StoreOp &grant = *from->grants[i];
            if (grant.bytes() != to->name() || !name.starts_with(grant.key()) || has_expired(grant.number, now)) continue;
            number = from->row.number;
            return {};
        }
        return fail(ACCP_E5002, 0, kNotGranted);
    }

    Status prune(const PrunePolicy &policy, uint64_t &pruned) override {
        if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
        pruned = 0;
        for (size_t i = 0; i < sessions_.size(); ++i) {
            if (!sessions_[i]) continue;
            MemorySession &session = *sessions_[i];
            uint64_t below = pruned_below(policy, session.row);
            pruned += session.drop_if(session.blobs, [&](const StoreOp &op) {
                return has_expired(op.number, policy.now) || (op.generation && op.generation < below);
            });
            pruned += session.drop_if(session.grants, [&](const StoreOp &op) { return has_expired(op.number, policy.now); });
        }
        return {};
    }

    Status verify(void (*)(const Damage &, void *), void *) override { return {}; }

    Status stats(StoreStats &out) override {
        out = {};
        for (size_t i = 0; i < sessions_.size(); ++i) {
            if (!sessions_[i]) continue;
            const MemorySession &session = *sessions_[i];
            ++out.sessions;
            out.records += session.log.size();
            out.blobs += session.blobs.size();
            out.grants += session.grants.size();
            out.mids += session.mids.count();
            for (size_t at = 0; at < session.log.size(); ++at) out.record_bytes += session.log[at]->bytes_len;
            for (size_t at = 0; at < session.blobs.size(); ++at) out.blob_bytes += session.blobs[at]->bytes_len;
        }
        return {};
    }

    Status next_session(std::string_view after, Buffer<char> &out) override {
        MemorySession *before = after.empty() ? nullptr : find(after);
        if (!after.empty() && !before) return fail(ACCP_E2001, 0, kNoSession);
        for (size_t i = before ? before->row.number : 0; i < sessions_.size(); ++i) {
            if (!sessions_[i]) continue;
            copy(sessions_[i]->name(), out);
            return {};
        }
        return fail(ACCP_E2001, 0, kNoSession);
    }

    Status export_session(std::string_view id, SessionSink &sink) override {
        MemorySession *session = find(id);
        if (!session) return fail(ACCP_E2001, 0, kNoSession);
        Status status = sink.row(id, session->row, session->state ? session->state->bytes() : std::string_view());
        for (size_t i = 0; status.ok() && i < session->log.size(); ++i) status = sink.record(i + 1, session->log[i]->bytes());
        for (size_t i = 0; status.ok() && i < session->blobs.size(); ++i) {
            const StoreOp &blob = *session->blobs[i];
            status = sink.blob(blob.key(), {blob.tier, blob.number, blob.generation}, blob.bytes());
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

    Status erase_session(uint64_t number) override {
        if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
        end(at(number));
        sessions_[number - 1] = nullptr;
        return {};
    }

private:
    // Copies of operations that no session has yet.
    struct Copies {
        explicit Copies(MemoryBackend &of) : backend(of) {}
        ~Copies() {
            for (size_t i = 0; i < backend.copies_.size(); ++i) backend.memory_.give(backend.copies_[i], backend.copies_[i]->size());
            backend.copies_.clear();
        }
        MemoryBackend &backend;
    };

    // Sessions that a write made, and takes away again if it goes no further.
    struct Made {
        explicit Made(MemoryBackend &of) : backend(of), before(of.sessions_.size()) {}
        ~Made() {
            for (size_t i = before; i < backend.sessions_.size(); ++i) {
                backend.end(backend.sessions_[i]);
                backend.sessions_[i] = nullptr;
            }
        }
        MemoryBackend &backend;
        size_t before;
    };

    static Status gone() { return fail(ACCP_ERR_CLOSED, 0, "the session was erased"); }
    static void copy(std::string_view from, Buffer<char> &to) {
        to.clear();
        to.append(from.data(), from.size());
    }

    void prepare(const OpenSession &open, const CommitQueue &queue) {
        MemorySession &session = *at(open.row.number);
        size_t waiting = 0;
        queue.each_of(open, [&](const StoreOp &op) {
            session.reserve(op, waiting++);
            if (!MemorySession::is_kept(op)) return;
            copies_.room(1);
            StoreOp *copied = static_cast<StoreOp *>(memory_.take(op.size()));
            std::memcpy(copied, &op, op.size());
            copies_.push(copied);
        });
    }

    MemorySession *at(uint64_t number) { return sessions_[number - 1]; }
    uint64_t hash(std::string_view id) const { return seeded_hash(id.data(), id.size(), seed_); }
    MemorySession *find(std::string_view id) {
        uint64_t number = by_id_.find(hash(id), [&](uint64_t number) { return at(number) && at(number)->name() == id; });
        return number ? at(number) : nullptr;
    }
    MemorySession *make(std::string_view id) {
        sessions_.room(1);
        by_id_.reserve(1, [this](uint64_t number) { return at(number) ? hash(at(number)->name()) : 0; });
        struct Room {
            Memory &memory;
            void *room;
            ~Room() { memory.give(room, sizeof(MemorySession)); }
        } room = {memory_, memory_.take(sizeof(MemorySession))};
        MemorySession *made = new (room.room) MemorySession(memory_, id, seed_);
        room.room = nullptr;
        sessions_.push(made);
        made->row.number = sessions_.size();
        by_id_.add(hash(id), sessions_.size());
        return made;
    }
    void end(MemorySession *session) {
        if (!session) return;
        session->~MemorySession();
        memory_.give(session, sizeof(MemorySession));
    }

    Memory &memory_;
    Buffer<MemorySession *> sessions_;  // by number, from 1; NULL: erased
    Slots by_id_;
    Buffer<StoreOp *> copies_;
    uint64_t seed_;
    bool writes_;
};

}  // namespace

Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out) {
    if (place.name != "memory:") return fail(ACCP_ERR_ARG, 0, "a store is memory: or sqlite:PATH");
    out = make_backend<MemoryBackend>(memory, place.writes);
    return {};
}

}  // namespace accp
