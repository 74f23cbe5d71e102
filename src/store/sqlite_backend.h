// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in a SQLite file in WAL mode. A group of commits is one transaction. docs/store.md has
// the schema.
#pragma once

#include "store/mid_index.h"
#include "store/sqlite_rows.h"

namespace accp::store {

constexpr const char *kBroken = "an earlier write failed: close the store and open it again";
constexpr const char *kMoved =
    "the file of the store, or its log, was removed or replaced while it was open: close the store "
    "and open it again";
constexpr const char *kSyncFailed = "syncing the file to the device failed";
constexpr const char *kContentMissing = "blobs or grants are missing";
class SqliteBackend final : public Backend {
public:
    explicit SqliteBackend(Memory &memory)
        : memory_(&memory), rows_(memory, file_), log_(memory, file_), mids_(memory, file_, log_) {}

    Status open(const StorePlace &place, const char *path);

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status write(CommitQueue &queue, bool to_device) override;
    bool flushes_apart() const override { return flushes_apart_; }
    Status begin_flush() override;
    Status flush() override;
    Status end_flush(const Status &flushed) override;

    Status state(const OpenSession &session, Buffer<char> &out) override;
    Status scan(const OpenSession &session, uint64_t first, uint64_t last, bool newest_first,
                size_t max_bytes, StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                Buffer<char> &out) override;
    Status check(OpenSession &session, bool fresh, SessionRow &now) override;
    Status read_tail(OpenSession &session) override;
    Status has_mid(OpenSession &session, uint64_t word, bool &out) override;
    Status find_shared(const SharedBlob &wanted, const OpenSession &grantee, BlobRow &row,
                       Buffer<char> *out) override;

    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status verify(void (*report)(const Damage &damage, void *user), void *user) override;
    Status status(const StatusSink &sink) override;
    Status stats(StoreStats &out) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;
    Status erase_session(std::string_view id) override;

private:
    friend class SqliteVerifier;

    Status export_rows(std::string_view id, SessionSink &sink);

    // sqlite_write.cc
    Status note_failure(const Status &status);
    Status set_synchronous(bool full);
    Status prepare_write(bool to_device = true);
    Status check_writable();
    Status write_group(CommitQueue &queue);
    Status check_fence(OpenSession &session);
    void update_epoch();
    Status reload_row(OpenSession &session, SessionRow &row);
    Status write_session(OpenSession &session, const CommitQueue &queue);
    Status write_ops(OpenSession &session, const CommitQueue &queue);
    void checkpoint();

    Status prune_rows(const PrunePolicy &policy, uint64_t &pruned);
    Status vacuum();
    void remove_expired_grants(const SharedBlob &wanted, uint64_t number,
                               const OpenSession &grantee);

    Memory *memory_;
    SqliteFile file_;
    SqliteRows rows_;
    SqliteLog log_;
    MidIndex mids_;
    sqlite3_file *log_file_ = nullptr;  // the file that flush() syncs
    int max_wal_pages_ = 0;
    uint64_t epoch_ = 1;         // rises when other connections may have changed rows
    uint32_t data_version_ = 0;  // the file's, as this connection last read it
    bool writes_ = true;
    bool vacuums_ = false;  // prune() shrinks the file
    bool wants_full_ = true;
    bool flushing_ = false;       // between begin_flush() and end_flush()
    bool flushes_apart_ = false;  // groups are committed first, then the log is synced
    bool is_full_ = true;         // the connection's current mode
    bool broken_ = false;         // a write failed, and the file's contents are uncertain
};

}  // namespace accp::store
