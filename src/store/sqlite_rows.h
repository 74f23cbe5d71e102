// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rows of a SQLite store. Each has a checksum over its contents, which every read checks.
// Damage is ACCP_ERR_CORRUPT; for a record, the offset is its number. docs/store.md has the schema.
#pragma once

#include "store/record_block.h"
#include "store/sqlite_file.h"

namespace accp::store {

inline uint64_t place_of(uint64_t number, uint64_t seq) { return number << 40 | seq; }

// The log of a session. A row holds up to 16 KiB of the records that one group wrote
// (record_block.h), because a row for each record would cost more than the record. The mids of a
// group are stored with its rows.
class SqliteLog {
public:
    SqliteLog(Memory &memory, SqliteFile &file)
        : file_(file), packer_(memory), mids_(memory), records_(memory), row_(memory) {}

    // Writes the log of one session at a time: call add() with one record after the other, then
    // finish() for the rest. begin() discards a write that failed.
    void begin(uint64_t number);
    Status add(uint64_t seq, std::string_view record);
    void note_mid(uint64_t word) { mids_.push(word); }
    // `loose`: mids were noted, but there is no record to store them with.
    Status finish(bool &loose);

    // Reads the next row of the query, which must contain this record. The functions below describe
    // that row, until the next call or the end of the query.
    Status read(Query &query, uint64_t number, uint64_t seq);
    // Reads the current row of the query, whatever records it contains.
    Status read_here(Query &query, uint64_t number);
    uint64_t first() const { return first_; }
    uint64_t last() const { return first_ + records_.count() - 1; }
    std::string_view mids() const { return found_mids_; }
    std::string_view record(uint64_t seq) const { return records_[seq - first_]; }

private:
    Status write_row();
    // The checksum of a row. For a single unpacked record it is that of schema version 1.
    uint64_t sum(uint64_t number, uint64_t seq, uint64_t count, uint64_t size,
                 std::string_view mids, std::string_view bytes) const;

    SqliteFile &file_;
    LzPacker packer_;
    uint64_t number_ = 0, first_ = 0;
    Buffer<uint64_t> mids_;  // to be written
    RecordBlock records_;    // the row that is written, or was read
    Buffer<char> row_;       // the packed row
    std::string_view found_mids_;
};

// No session is opened to write as often as this. Each time adds one to its fence, which starts at
// a random number. A row whose fence is this far ahead therefore belongs to another session.
constexpr uint64_t kMaxWriters = uint64_t{1} << 32;
constexpr int kIdColumn = 10;  // in the columns that find_session() reads
constexpr int kBlobSumColumn = 5;
constexpr int kGrantSumColumn = 3;

class SqliteRows {
public:
    // Both arguments must outlive this object.
    SqliteRows(Memory &memory, SqliteFile &file)
        : file_(file), packer_(memory), packed_(memory), text_(memory) {}

    // Reads the row of a session from a query. Returns ACCP_E2001 if there is none.
    Status find_session(Query &query, SessionRow &out) const;
    // Reads the next session by number, after row.number.
    Status find_next(Query &query, SessionRow &row) const;
    // Reads the state, replacing `out`; empty if there is none.
    Status state(const SessionRow &row, Buffer<char> &out);
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out);
    // Looks for a grant of wanted.owner that covers the name, and sets `number` to the owner's
    // number. Returns ACCP_E5002 if there is none. `has_expired_grant`: a grant to this session has
    // expired.
    Status find_grant(const Backend::SharedBlob &wanted, const OpenSession &grantee,
                      uint64_t &number, bool &has_expired_grant) const;
    // Adds the checksums of the session's blobs or grants to `content_sum`. Calls visit(status, …)
    // for each, with the error if it cannot be read, until visit() fails.
    template <class Visit>
    Status each_blob(uint64_t number, uint64_t &content_sum, Visit visit) {
        Query query(file_, Sql::kBlobs);
        query.number(number);
        Status status;
        while (status.ok() && query.row()) {
            BlobRow row;
            std::string_view key, bytes;
            content_sum += query.number_at(kBlobSumColumn);
            status = read_blob(query, number, row, key, bytes);
            status = visit(status, key, row, bytes);
        }
        return status.ok() ? query.status() : status;
    }
    template <class Visit>
    Status each_grant(uint64_t number, uint64_t &content_sum, Visit visit) const {
        Query query(file_, Sql::kGrants);
        query.number(number);
        Status status;
        while (status.ok() && query.row()) {
            std::string_view grantee, prefix;
            uint64_t expires = 0;
            content_sum += query.number_at(kGrantSumColumn);
            status = read_grant(query, number, grantee, prefix, expires);
            status = visit(status, grantee, prefix, expires);
        }
        return status.ok() ? query.status() : status;
    }

    // Creates a session. Returns ACCP_ERR_BUSY if it exists.
    Status make_session(std::string_view id, SessionRow &row) const;
    Status write_row(const SessionRow &row) const;
    Status write_state(uint64_t number, const StoreOp &op);
    // Writes an operation on a blob or a grant; ignores other kinds.
    Status write_op(OpenSession &session, const StoreOp &op);
    // Subtracts the checksums of deleted rows, which the statement returns, from their sessions'
    // sums, and counts the rows.
    Status subtract_sums(Query &query, uint64_t &count) const;

private:
    uint64_t sum_of(const SessionRow &row) const;
    Query &bind(Query &query, const SessionRow &row) const;
    std::string_view pack(std::string_view text);
    Status put_blob(OpenSession &session, const StoreOp &op);
    Status put_grant(OpenSession &session, const StoreOp &op);
    // The checksum of a packed text includes its size.
    uint64_t state_sum(uint64_t number, uint64_t version, uint64_t size,
                       std::string_view bytes) const;
    uint64_t blob_sum(uint64_t number, const BlobRow &row, uint64_t size, std::string_view key,
                      std::string_view bytes) const;
    Status read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key,
                     std::string_view &bytes);
    Status read_grant(Query &query, uint64_t number, std::string_view &grantee,
                      std::string_view &prefix, uint64_t &expires) const;
    Status subtract_sum(OpenSession &session, const StoreOp &op) const;

    SqliteFile &file_;
    LzPacker packer_;
    Buffer<char> packed_;  // of a text to be written
    Buffer<char> text_;    // of a text that was read
};

}  // namespace accp::store
