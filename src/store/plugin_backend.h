// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions over a host's back end (include/accp/store_backend.h), which keeps a log and a map for
// each session. docs/notes/sessions.md explains how these provide the guarantees of a store. Each
// open session has its own PluginBackend, and the store has one for all other calls. Only one
// thread at a time may use a PluginBackend. All of them share one PluginContext.
#pragma once

#include <span>

#include "store/lane.h"
#include "store/plugin_mids.h"

namespace accp::store {

inline constexpr int kGroupTries = 64;  // of a write that other writes overtake
constexpr const char *kWrittenTooOften = "other writers overtook every attempt: try again";

class PluginBackend final : public Backend {
public:
    PluginBackend(Memory &memory, PluginContext &context, bool writes)
        : memory_(memory),
          context_(context),
          port_(context.table),
          mids_(memory, context, port_),
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

    // plugin_write.cc
    Status write(CommitQueue &queue, bool to_device) override;
    // write() in two steps, so that one call of the table can write several sessions. collect()
    // makes the writes for the queue, and settle() handles their results. `again`: some writes must
    // be tried again.
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
    Status find_shared(const SharedBlob &wanted, const OpenSession &grantee, BlobRow &row,
                       Buffer<char> *out) override;
    Status verify(void (*report)(const Damage &damage, void *user), void *user) override;
    Status status(const StatusSink &sink) override;
    Status stats(StoreStats &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;

private:
    // Reads the current row of a session, without `number`. Returns ACCP_E2001 if the session does
    // not exist.
    Status find_row(std::string_view id, SessionRow &out);
    std::string_view id_of(const OpenSession &session) const {
        return session.new_id.empty() ? id_.view() : session.new_id;
    }
    // Calls visit(id) for each session until it fails.
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
    // Writes changes to a session and keeps its fence, so its writer stays valid. choose(row) fills
    // changes_. Tries again if another write came first.
    template <class Choose>
    Status change_keeping_fence(std::string_view id, Choose choose);
    Status prune_session(std::string_view id, const PrunePolicy &policy, uint64_t &pruned);
    void erase_key(std::string_view key);

    // plugin_write.cc
    Status check_new_sessions(CommitQueue &queue);
    void erase_new_sessions(CommitQueue &queue);
    void begin_group();
    Status collect_one(OpenSession &session, const CommitQueue &queue);
    void add_op(const StoreOp &op);
    void pack_records(size_t first, const Buffer<uint64_t> &words);
    Status settle_one(OpenSession &session, const CommitQueue &queue, const accp_store_write &write,
                      const SessionRow &next, bool &again);
    Status resolve_conflict(OpenSession &session, const CommitQueue &queue, bool &again);

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
    PluginContext &context_;
    PluginPort port_;
    PluginMids mids_;
    Arena arena_;  // what the writes of a group point to
    struct Sent {
        OpenSession *session;
        SessionRow next;  // the row after this write
        size_t change;    // index of its first change
        size_t record;
    };
    Buffer<accp_store_write> writes_;
    Buffer<Sent> sent_;
    Buffer<accp_store_change> changes_;
    Buffer<accp_text> records_;
    Buffer<char> id_;  // of the open session
    bool may_write_;
};

// Writes the queues of several lanes as one call of the table. The caller holds their locks. The
// lanes do not depend on each other; returns the first failure.
Status write_lanes(PluginContext &context, Memory &memory, const Buffer<StoreLane *> &lanes);

}  // namespace accp::store
