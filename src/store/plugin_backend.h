// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions behind a table of the host's (include/accp/store_backend.h): a log and a map for each.
// docs/notes/store.md says how what a store promises is made of that.
#pragma once

#include "base/slots.h"
#include "store/plugin_mids.h"

namespace accp::store {

class PluginBackend final : public Backend {
public:
    PluginBackend(Memory &memory, const accp_store_backend &table, void *user, bool writes)
        : memory_(memory),
          port_(table, user),
          mids_(memory, port_),
          arena_(memory),
          writes_(memory),
          sent_(memory),
          changes_(memory),
          records_(memory),
          ids_(memory),
          by_id_(memory),
          seed_(random_seed()),
          may_write_(writes) {}
    ~PluginBackend() override;

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status check(OpenSession &session, bool fresh, SessionRow &now) override;
    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status erase_session(std::string_view id) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;

    // plugin_group.cc
    Status write(CommitQueue &queue) override;

    // plugin_read.cc
    Status state(const OpenSession &session, Buffer<char> &out) override;
    Status scan(const OpenSession &session, uint64_t first, uint64_t last, bool newest_first,
                size_t max_bytes, StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                Buffer<char> &out) override;
    Status read_tail(OpenSession &session) override;
    Status has_mid(OpenSession &session, uint64_t word, bool &out) override;
    Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row,
                       Buffer<char> *out) override;
    Status verify(void (*report)(const Damage &damage, void *user), void *user) override;
    Status stats(StoreStats &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;

private:
    struct Id {
        const char *text;
        size_t len;
    };

    // The row of a session as it stands, and its number here. ACCP_E2001.
    Status find(std::string_view id, SessionRow &out);
    uint64_t number_of(std::string_view id);
    std::string_view id_of(uint64_t number) const {
        return {ids_[number - 1].text, ids_[number - 1].len};
    }
    uint64_t hash(std::string_view id) const { return seeded_hash(id.data(), id.size(), seed_); }
    // visit(id): Status
    template <class Visit>
    Status each_session(Visit visit) {
        Buffer<char> id(memory_);
        for (uint64_t after = 0;;) {
            Status status = next_session(after, id);
            if (status.code == ACCP_E2001) return {};
            if (status.ok()) status = visit(id.view());
            if (status.failed()) return status;
        }
    }
    // One write of one session, whose row stays as it is; made again where another came between.
    // choose(row): the changes, into changes_.
    template <class Choose>
    Status change_quietly(std::string_view id, Choose choose);
    Status prune_session(std::string_view id, const PrunePolicy &policy, uint64_t &pruned);
    void erase_key(std::string_view key);

    // plugin_group.cc
    Status check_new(CommitQueue &queue);
    void take_back_new(CommitQueue &queue);
    void begin_group();
    Status collect(OpenSession &session, const CommitQueue &queue);
    void add_op(const StoreOp &op);
    void pack_records(size_t first, const Buffer<uint64_t> &words);
    Status write_once(CommitQueue &queue, bool &again);
    Status settle(OpenSession &session, const CommitQueue &queue, const accp_store_write &write,
                  const SessionRow &next, bool &again);
    Status settle_doubt(OpenSession &session, const CommitQueue &queue, bool &again);

    // plugin_read.cc
    Status scan_kept(std::string_view id, uint64_t first, uint64_t last, bool newest_first,
                     StoreRecords *out, Buffer<uint64_t> *mids, size_t max_bytes);
    Status read_state(std::string_view id, Buffer<char> &out);
    Status read_blob(std::string_view id, Tier tier, std::string_view key, BlobRow &row,
                     Buffer<char> &out);
    Status verify_session(std::string_view id);
    Status export_kept(std::string_view id, const SessionRow &row, SessionSink &sink);
    Status export_blobs(std::string_view id, SessionSink &sink);
    Status export_grants(std::string_view id, SessionSink &sink);

    Memory &memory_;
    PluginPort port_;
    PluginMids mids_;
    Arena arena_;  // what a group points to
    struct Sent {
        OpenSession *session;
        SessionRow next;  // as this write makes it
        size_t change;    // where its changes begin
        size_t record;
    };
    Buffer<accp_store_write> writes_;
    Buffer<Sent> sent_;
    Buffer<accp_store_change> changes_;
    Buffer<accp_text> records_;
    Buffer<Id> ids_;  // by number, from 1
    Slots by_id_;
    uint64_t seed_;
    bool may_write_;
};

}  // namespace accp::store
