// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in a SQLite file in WAL mode. docs/store.md has the schema.
//
// A group of commits is one transaction. Mids are kept with the record they came with, and go to
// the index some hundreds at a time: random keys one by one into a tree would write a page for
// each. The index of a session is runs of sorted words, merged sixteen at a time; a run is rows
// that each hold the words of a range, and together cover all there can be, so that a row that is
// missing is noticed.
#pragma once

#include "store/mid_filter.h"
#include "store/sqlite_file.h"

namespace accp::store {

constexpr const char *kBroken = "an earlier write failed: the store must be opened anew";
constexpr const char *kMoved =
    "the file of the store, or its log, was removed or replaced while it was open: open it anew";
constexpr const char *kHeldMissing = "blobs or grants are missing";
// that one session ever had: its fence counts them, from anywhere
constexpr uint64_t kMaxWriters = uint64_t{1} << 32;
constexpr int kIdColumn = 10;  // of what find_session() reads
constexpr int kBlobSumColumn = 4;
constexpr int kGrantSumColumn = 3;
constexpr const char *kMidsDamaged = "the index of mids is damaged";

class SqliteBackend final : public Backend {
public:
    explicit SqliteBackend(Memory &memory) : memory_(&memory), words_(memory), filters_(memory) {}

    Status open(const StorePlace &place, const char *path);

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status write(CommitQueue &queue) override;

    Status state(const OpenSession &session, Buffer<char> &out) override;
    Status scan(const OpenSession &session, uint64_t first, uint64_t last, bool newest_first,
                size_t max_bytes, StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                Buffer<char> &out) override;
    Status check(OpenSession &session, bool fresh, SessionRow &now) override;
    Status read_tail(OpenSession &session) override;
    Status has_mid(OpenSession &session, uint64_t word, bool &out) override;
    Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row,
                       Buffer<char> *out) override;

    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status verify(void (*report)(const Damage &damage, void *user), void *user) override;
    Status stats(StoreStats &out) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;
    Status erase_session(std::string_view id) override;

private:
    friend class SqliteVerifier;

    Status export_rows(std::string_view id, SessionSink &sink);

    // sqlite_backend.cc
    Status make_session(std::string_view id, SessionRow &row);

    // sqlite_write.cc
    Status note_failure(const Status &status);
    static SessionRow next_row(const OpenSession &session);
    Status set_level(bool full);
    Status may_write();
    Status may_be_written();
    Status write_group(CommitQueue &queue);
    Status check_fence(OpenSession &session);
    void note_version();
    Status look_at(OpenSession &session, SessionRow &row);
    Status write_commit(const CommitQueue::Commit &commit);
    Status write_op(OpenSession &session, const StoreOp &op, std::string_view mids);
    Status write_session(OpenSession &session, const CommitQueue &queue);
    Status write_row(const SessionRow &row);
    void checkpoint();

    // sqlite_prune.cc
    void end_grants(const Shared &wanted, uint64_t number, const OpenSession &grantee);
    Status forget_sum(OpenSession &session, const StoreOp &op);
    Status forget_sums(Query &query, uint64_t &count);

    // sqlite_read.cc: each checks what it reads
    uint64_t sum_of(const SessionRow &row) const;
    Status find_session(Query &query, SessionRow &out);
    Status find_next(Query &query, SessionRow &row);
    Status read_record(Query &query, uint64_t number, uint64_t seq, std::string_view &mids,
                       std::string_view &bytes);
    Status read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key,
                     std::string_view &bytes);
    Status find_grant(const Shared &wanted, const OpenSession &grantee, uint64_t &number,
                      bool &ended);
    Status read_grant(Query &query, uint64_t number, std::string_view &grantee,
                      std::string_view &prefix, uint64_t &expires);

    // sqlite_mids.cc
    Status read_words(Query &query, uint64_t number, uint64_t run, uint64_t &first, uint64_t &next,
                      std::string_view &words);
    Status index_tail(OpenSession &session);
    Status write_run(uint64_t number, uint64_t run);  // of words_, sorted
    Status find_in_run(uint64_t number, uint64_t run, uint64_t word, bool &found);
    Status append_run(uint64_t number, uint64_t run, Buffer<uint64_t> &out);
    Status merge_runs(uint64_t number, uint64_t level, uint64_t into);
    Status read_mids(const SessionRow &row, Buffer<uint64_t> &out);
    Status read_index(const SessionRow &row, Buffer<uint64_t> &out);
    Status read_tail_of(const SessionRow &row, uint64_t last, Buffer<uint64_t> &out);
    template <class Visit>
    Status each_run(const SessionRow &row, Visit visit);

    // Adds up what the session's blobs, or grants, add to its sum. visit(status, …) is told of
    // each, or why it cannot be read, and answers whether to go on.
    template <class Visit>
    Status each_blob(uint64_t number, uint64_t &held, Visit visit) {
        Query query(file_, Sql::kBlobs);
        query.number(number);
        Status status;
        while (status.ok() && query.row()) {
            BlobRow row;
            std::string_view key, bytes;
            held += query.number_at(kBlobSumColumn);
            status = read_blob(query, number, row, key, bytes);
            status = visit(status, key, row, bytes);
        }
        return status.ok() ? query.status() : status;
    }
    template <class Visit>
    Status each_grant(uint64_t number, uint64_t &held, Visit visit) {
        Query query(file_, Sql::kGrants);
        query.number(number);
        Status status;
        while (status.ok() && query.row()) {
            std::string_view grantee, prefix;
            uint64_t expires = 0;
            held += query.number_at(kGrantSumColumn);
            status = read_grant(query, number, grantee, prefix, expires);
            status = visit(status, grantee, prefix, expires);
        }
        return status.ok() ? query.status() : status;
    }

    Memory *memory_;
    SqliteFile file_;
    Buffer<uint64_t> words_;
    MidFilters filters_;
    int max_wal_pages_ = 0;
    uint64_t epoch_ = 1;         // of rows: a new one when somebody else may have changed them
    uint32_t data_version_ = 0;  // of the file, as this connection saw it last
    bool writes_ = true;
    bool wants_full_ = true;
    bool is_full_ = true;  // as the connection stands
    bool broken_ = false;  // a write failed in a way that leaves open what is on the disk
};

inline uint64_t place_of(uint64_t number, uint64_t seq) { return number << 40 | seq; }

}  // namespace accp::store
