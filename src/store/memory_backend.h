// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in memory: for tests, for hosts that need nothing kept, and as what the other backends
// are compared with.
#pragma once

#include "store/memory_session.h"

namespace accp::store {

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
        for (size_t i = 0; i < sessions_.size(); ++i) end(sessions_[i]);
    }

    bool is_durable_at_once() const override { return true; }

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status write(CommitQueue &queue, bool to_device) override;
    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status erase_session(std::string_view id) override;
    Status check(OpenSession &open, bool fresh, SessionRow &now) override;

    // memory_read.cc
    Status state(const OpenSession &open, Buffer<char> &out) override;
    Status scan(const OpenSession &open, uint64_t first, uint64_t last, bool newest_first,
                size_t max_bytes, StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                Buffer<char> &out) override;
    Status read_tail(OpenSession &) override { return {}; }
    Status has_mid(OpenSession &open, uint64_t word, bool &out) override;
    Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row,
                       Buffer<char> *out) override;
    Status verify(void (*)(const Damage &, void *), void *) override { return {}; }
    Status status(const StatusSink &sink) override;
    Status stats(StoreStats &out) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;

private:
    // Copies of operations that no session has yet.
    struct Copies {
        explicit Copies(MemoryBackend &of) : backend(of) {}
        ~Copies() {
            for (size_t i = 0; i < backend.copies_.size(); ++i)
                backend.memory_.release(backend.copies_[i], backend.copies_[i]->size());
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

    static Status gone() { return fail(ACCP_ERR_CLOSED, 0, kErased); }

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
    void end(MemorySession *session);

    Memory &memory_;
    Buffer<MemorySession *> sessions_;  // by number, from 1; NULL: erased
    Slots by_id_;
    Buffer<StoreOp *> copies_;
    MemoryScratch scratch_;
    uint64_t seed_;
    bool writes_;
};

}  // namespace accp::store
