// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rows of a SQLite store. Each has a sum over what it says; what is read is checked, and damage
// is ACCP_ERR_CORRUPT, with the sequence of a record as its offset. docs/store.md has the schema.
#pragma once

#include "store/sqlite_log.h"

namespace accp::store {

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
