// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a SQLite store. A row holds the records of one session that came with one group, up to
// 16 KiB of them (record_texts.h): a row for each would cost more than what it says. The mids that
// came with a group lie with its rows.
#pragma once

#include "store/record_block.h"
#include "store/sqlite_file.h"

namespace accp::store {

inline uint64_t place_of(uint64_t number, uint64_t seq) { return number << 40 | seq; }

class SqliteLog {
public:
    SqliteLog(Memory &memory, SqliteFile &file)
        : file_(file), packer_(memory), mids_(memory), records_(memory), row_(memory) {}

    // Writing, of one session at a time. add() after add(), with the next record each time;
    // finish() writes what is left. A write that failed is forgotten by begin().
    void begin(uint64_t number);
    Status add(uint64_t seq, std::string_view record);
    void note_mid(uint64_t word) { mids_.push(word); }
    // `loose`: mids were noted, and there is no record that they could lie with.
    Status finish(bool &loose);

    // Reading: the next row of the query, which must hold this record. Then it is the one that the
    // others tell of, until the next call or the end of the query.
    Status read(Query &query, uint64_t number, uint64_t seq);
    // The same of the row that the query is at, whatever it holds.
    Status read_here(Query &query, uint64_t number);
    uint64_t first() const { return first_; }
    uint64_t last() const { return first_ + records_.count() - 1; }
    std::string_view mids() const { return found_mids_; }
    std::string_view record(uint64_t seq) const { return records_[seq - first_]; }

private:
    Status write_row();
    // Ties a row to its place. One record that is not packed: as it was in schema version 1.
    uint64_t sum(uint64_t number, uint64_t seq, uint64_t count, uint64_t size,
                 std::string_view mids, std::string_view bytes) const;

    SqliteFile &file_;
    LzPacker packer_;
    uint64_t number_ = 0, first_ = 0;
    Buffer<uint64_t> mids_;  // that are written
    RecordTexts records_;    // of the row that is written, or was read
    Buffer<char> row_;       // as it is written
    std::string_view found_mids_;
};

// that one session ever had: its fence counts them, from anywhere
constexpr uint64_t kMaxWriters = uint64_t{1} << 32;
constexpr int kIdColumn = 10;  // of what find_session() reads
constexpr int kBlobSumColumn = 5;
constexpr int kGrantSumColumn = 3;

class SqliteRows {
public:
    // Both are borrowed.
    SqliteRows(Memory &memory, SqliteFile &file)
        : file_(file), packer_(memory), packed_(memory), text_(memory) {}

    // The row of a session that the query finds. E2001: there is none.
    Status find_session(Query &query, SessionRow &out) const;
    // The next session by number, after row.number.
    Status find_next(Query &query, SessionRow &row) const;
    // The state of the session, replacing `out`; empty where there is none.
    Status state(const SessionRow &row, Buffer<char> &out);
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out);
    // A grant of wanted.owner, whose number is `number`, that covers the name. E5002: there is
    // none; `ended`: one has expired.
    Status find_grant(const Backend::Shared &wanted, const OpenSession &grantee, uint64_t &number,
                      bool &ended) const;
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
    Status each_grant(uint64_t number, uint64_t &held, Visit visit) const {
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

    // A session that must not be there yet. ACCP_ERR_BUSY: it is.
    Status make_session(std::string_view id, SessionRow &row) const;
    Status write_row(const SessionRow &row) const;
    Status write_state(uint64_t number, const StoreOp &op);
    // One operation of a commit on a blob or a grant; others are passed over.
    Status write_op(OpenSession &session, const StoreOp &op);
    // Takes what rows that a statement has taken out add to the sums of their sessions out of them,
    // and counts them.
    Status forget_sums(Query &query, uint64_t &count) const;

private:
    uint64_t sum_of(const SessionRow &row) const;
    Query &bind(Query &query, const SessionRow &row) const;
    std::string_view pack(std::string_view text);
    Status put_blob(OpenSession &session, const StoreOp &op);
    Status put_grant(OpenSession &session, const StoreOp &op);
    // Of a text that is packed the sum is over its size too.
    uint64_t state_sum(uint64_t number, uint64_t version, uint64_t size,
                       std::string_view bytes) const;
    uint64_t blob_sum(uint64_t number, const BlobRow &row, uint64_t size, std::string_view key,
                      std::string_view bytes) const;
    Status read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key,
                     std::string_view &bytes);
    Status read_grant(Query &query, uint64_t number, std::string_view &grantee,
                      std::string_view &prefix, uint64_t &expires) const;
    Status forget_sum(OpenSession &session, const StoreOp &op) const;

    SqliteFile &file_;
    LzPacker packer_;
    Buffer<char> packed_;  // a text on its way in
    Buffer<char> text_;    // one on its way out
};

}  // namespace accp::store
