// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_rows.h: rows that are written, and the sums that go with them.
#include "base/random.h"
#include "store/sqlite_rows.h"

namespace accp::store {

// All numbers of the row but the session's, and their sum.
Query &SqliteRows::bind(Query &query, const SessionRow &row) const {
    for (uint64_t n : {row.fence, row.version, row.last, row.generation, row.floor, row.runs,
                       row.indexed, row.held, sum_of(row)})
        query.number(n);
    return query;
}

Status SqliteRows::make_session(std::string_view id, SessionRow &row) const {
    Query there(file_, Sql::kSessionById);
    Status status = find_session(there.bytes(id), row);
    if (status.code != ACCP_E2001)
        return status.failed() ? status : fail(ACCP_ERR_BUSY, 0, kIsThere);
    Query newest(file_, Sql::kSessionNewest);
    row = {};
    if (newest.row()) row.number = newest.number_at(0) + 1;
    if (newest.status().failed()) return newest.status();
    if (row.number > kMaxSessions)
        return fail(ACCP_ERR_ARG, 0, "the store is full: it has 8,388,607 sessions");
    row.fence = random_seed() >> 2;  // one that no erased session of this number had
    Query make(file_, Sql::kSessionMake);
    bind(make.number(row.number), row).bytes(id);
    return make.number(static_cast<uint64_t>(file_.sum({row.number}, id))).run();
}

Status SqliteRows::write_row(const SessionRow &row) const {
    Query query(file_, Sql::kSessionSet);
    return bind(query, row).number(row.number).run();
}

// The text as it is kept, until the next call.
std::string_view SqliteRows::pack(std::string_view text) {
    packed_.recycle(kKeptBytes);
    packer_.pack(text, packed_);
    return packed_.view();
}

Status SqliteRows::write_state(uint64_t number, const StoreOp &op) {
    const std::string_view bytes = pack(op.bytes());
    Query query(file_, Sql::kStatePut);
    return query.number(number)
        .number(op.number)
        .number(op.bytes_len)
        .number(state_sum(number, op.number, op.bytes_len, bytes))
        .bytes(bytes)
        .run();
}

Status SqliteRows::write_op(OpenSession &session, const StoreOp &op) {
    switch (op.kind) {
        case StoreOp::kPut: return put_blob(session, op);
        case StoreOp::kErase: {
            Status status = forget_sum(session, op);
            Query query(file_, Sql::kBlobErase);
            query.number(session.row.number).number(static_cast<uint64_t>(op.tier)).bytes(op.key());
            return status.ok() ? query.run() : status;
        }
        case StoreOp::kGrant: return put_grant(session, op);
        case StoreOp::kRevoke: {
            Status status = forget_sum(session, op);
            Query query(file_, Sql::kGrantErase);
            query.number(session.row.number).bytes(op.bytes()).bytes(op.key());
            return status.ok() ? query.run() : status;
        }
        default: return {};
    }
}

// Nearly every blob is a new one: only where it is not is the old one looked at.
Status SqliteRows::put_blob(OpenSession &session, const StoreOp &op) {
    const uint64_t number = session.row.number;
    const std::string_view bytes = pack(op.bytes());
    const BlobRow row = {op.tier, op.number, op.generation};
    const uint64_t sum = blob_sum(number, row, op.bytes_len, op.key(), bytes);
    auto put = [&](Sql how) {
        Query query(file_, how);
        query.number(number).number(static_cast<uint64_t>(op.tier)).bytes(op.key());
        query.number(op.number).number(op.generation).number(op.bytes_len).number(sum);
        return query.bytes(bytes).run();
    };
    Status status = put(Sql::kBlobPut);
    if (status.ok() && !file_.changed()) {
        status = forget_sum(session, op);
        if (status.ok()) status = put(Sql::kBlobReplace);
    }
    session.held += sum;
    return status;
}

Status SqliteRows::put_grant(OpenSession &session, const StoreOp &op) {
    Status status = forget_sum(session, op);
    const uint64_t number = session.row.number;
    const auto sum = static_cast<uint64_t>(file_.sum({number, op.number}, op.bytes(), op.key()));
    session.held += sum;
    Query query(file_, Sql::kGrantPut);
    query.number(number).bytes(op.bytes()).bytes(op.key()).number(op.number).number(sum);
    return status.ok() ? query.run() : status;
}

// Takes what a blob or a grant adds to the session's sum out of it, before it is replaced or goes.
Status SqliteRows::forget_sum(OpenSession &session, const StoreOp &op) const {
    const bool is_blob = op.kind == StoreOp::kPut || op.kind == StoreOp::kErase;
    Query query(file_, is_blob ? Sql::kBlobSum : Sql::kGrantSum);
    query.number(session.row.number);
    if (is_blob) query.number(static_cast<uint64_t>(op.tier)).bytes(op.key());
    else query.bytes(op.bytes()).bytes(op.key());
    if (query.row()) session.held -= query.number_at(0);
    return query.status();
}

// The same for rows that a statement has taken out, of any session.
Status SqliteRows::forget_sums(Query &query, uint64_t &count) const {
    Status status;
    for (; status.ok() && query.row(); ++count) {
        SessionRow row;
        Query find(file_, Sql::kSessionByNumber);
        status = find_session(find.number(query.number_at(0)), row);
        row.held -= query.number_at(1);
        if (status.ok()) status = write_row(row);
    }
    return status.ok() ? query.status() : status;
}

}  // namespace accp::store
