// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions behind a table of the host's (include/accp/store_backend.h): a log and a map for each.
// docs/notes/sessions.md says how what a store promises is made of that. Each session that is open
// has one of its own, and a store one for all else: one thread at a time, and what is shared is in
// the place.
#pragma once

#include <span>

#include "store/lane.h"
#include "store/plugin_mids.h"

namespace accp::store {

inline constexpr int kGroupTries = 64;  // of a write that others come between
constexpr const char *kWrittenTooOften = "others write all the time";

class PluginBackend final : public Backend {
public:
    PluginBackend(Memory &memory, PluginPlace &place, bool writes)
        : memory_(memory),
          place_(place),
          port_(place.table),
          mids_(memory, place, port_),
          arena_(memory),
          writes_(memory),
          sent_(memory),
          changes_(memory),
          records_(memory),
          id_(memory),
          may_write_(writes) {}

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status check(OpenSession &session, bool fresh, SessionRow &now) override;
    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status erase_session(std::string_view id) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;

    // plugin_group.cc
    Status write(CommitQueue &queue, bool to_device) override;
    // The same in two steps, so that several sessions' writes go as one call of the table: what the
    // queue has, as writes; and what became of them. again: some are to be tried anew.
    Status collect(const CommitQueue &queue);
    std::span<accp_store_write> writes() { return {writes_.data(), writes_.size()}; }
    Status settle(CommitQueue &queue, bool &again);

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
    Status status(const StatusSink &sink) override;
    Status stats(StoreStats &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;

private:
    // The row of a session as it stands, but for its number. ACCP_E2001.
    Status find(std::string_view id, SessionRow &out);
    std::string_view id_of(const OpenSession &session) const {
        return session.new_id.empty() ? id_.view() : session.new_id;
    }
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
    Status collect_one(OpenSession &session, const CommitQueue &queue);
    void add_op(const StoreOp &op);
    void pack_records(size_t first, const Buffer<uint64_t> &words);
    Status settle_one(OpenSession &session, const CommitQueue &queue, const accp_store_write &write,
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
    PluginPlace &place_;
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
    Buffer<char> id_;  // of the session that was opened
    bool may_write_;
};

// Lanes of one place, whose locks the caller has. What is written of one does not depend on the
// others; the answer is the first failure.
Status write_lanes(PluginPlace &place, Memory &memory, const Buffer<StoreLane *> &lanes);

}  // namespace accp::store
