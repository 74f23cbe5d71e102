// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/sqlite_rows.h"

#include "base/random.h"

namespace accp::store {

uint64_t SqliteRows::sum_of(const SessionRow &row) const {
    return static_cast<uint64_t>(
        file_.sum({row.number, row.fence, row.version, row.last, row.generation, row.floor,
                   row.runs, row.indexed, row.content_sum}));
}

Status SqliteRows::find_session(Query &query, SessionRow &out) const {
    if (!query.row())
        return query.status().failed() ? query.status() : fail(ACCP_E2001, 0, kNoSession);
    SessionRow row;
    row.number = query.number_at(0);
    row.fence = query.number_at(1);
    row.version = query.number_at(2);
    row.last = query.number_at(3);
    row.generation = query.number_at(4);
    row.floor = query.number_at(5);
    row.runs = query.number_at(6);
    row.indexed = query.number_at(7);
    row.content_sum = query.number_at(8);
    bool is_valid = query.number_at(9) == sum_of(row) && row.number && row.number <= kMaxSessions;
    std::string_view id = query.bytes_at(kIdColumn);
    is_valid &=
        query.number_at(kIdColumn + 1) == static_cast<uint64_t>(file_.sum({row.number}, id));
    if (query.status().failed()) return query.status();
    if (!is_valid) return damaged("the row of a session is damaged");
    out = row;
    return {};
}

// Requires a greater number, so that a damaged file cannot make an endless loop.
Status SqliteRows::find_next(Query &query, SessionRow &row) const {
    uint64_t before = row.number;
    Status status = find_session(query.number(before), row);
    return status.ok() && row.number <= before ? damaged("sessions are out of order") : status;
}

uint64_t SqliteRows::state_sum(uint64_t number, uint64_t version, uint64_t size,
                               std::string_view bytes) const {
    return static_cast<uint64_t>(bytes.size() == size ? file_.sum({number, version}, bytes)
                                                      : file_.sum({number, version, size}, bytes));
}

uint64_t SqliteRows::blob_sum(uint64_t number, const BlobRow &row, uint64_t size,
                              std::string_view key, std::string_view bytes) const {
    const auto tier = static_cast<uint64_t>(row.tier);
    return static_cast<uint64_t>(
        bytes.size() == size
            ? file_.sum({number, tier, row.expires, row.generation}, key, bytes)
            : file_.sum({number, tier, row.expires, row.generation, size}, key, bytes));
}

Status SqliteRows::state(const SessionRow &row, Buffer<char> &out) {
    out.clear();
    if (!row.version) return {};
    Query query(file_, Sql::kStateGet);
    if (!query.number(row.number).row())
        return query.status().failed() ? query.status() : damaged("the state is missing");
    const uint64_t version = query.number_at(0), size = query.number_at(1);
    const std::string_view bytes = query.bytes_at(3);
    if (query.status().failed()) return query.status();
    const bool is_valid = query.number_at(2) == state_sum(row.number, version, size, bytes) &&
                          lz_unpack(bytes, size, out);
    return is_valid ? Status{} : damaged("the state is damaged");
}

Status SqliteRows::read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key,
                             std::string_view &bytes) {
    const uint64_t size = query.number_at(4);
    row = {static_cast<Tier>(query.number_at(0)), query.number_at(2), query.number_at(3)};
    key = query.bytes_at(1);
    bytes = query.bytes_at(6);
    if (query.status().failed()) return query.status();
    text_.recycle(kKeptBytes);
    const bool is_valid =
        query.number_at(kBlobSumColumn) == blob_sum(number, row, size, key, bytes) &&
        (bytes.size() == size || lz_unpack(bytes, size, text_));
    if (bytes.size() != size) bytes = text_.view();
    return is_valid ? Status{} : damaged("a blob is damaged");
}

Status SqliteRows::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                        Buffer<char> &out) {
    Query query(file_, Sql::kBlobGet);
    query.number(number).number(static_cast<uint64_t>(tier)).bytes(key);
    if (!query.row())
        return query.status().failed() ? query.status() : fail(ACCP_E2001, 0, kNoBlob);
    std::string_view found, bytes;
    Status status = read_blob(query, number, row, found, bytes);
    if (status.ok()) out.assign(bytes);
    return status;
}

Status SqliteRows::read_grant(Query &query, uint64_t number, std::string_view &grantee,
                              std::string_view &prefix, uint64_t &expires) const {
    grantee = query.bytes_at(0);
    prefix = query.bytes_at(1);
    expires = query.number_at(2);
    if (query.status().failed()) return query.status();
    bool is_valid =
        query.number_at(3) == static_cast<uint64_t>(file_.sum({number, expires}, grantee, prefix));
    return is_valid ? Status{} : damaged("a grant is damaged");
}

// Without a grant, the result is the same whether or not the owner and the blob exist.
Status SqliteRows::find_grant(const Backend::SharedBlob &wanted, const OpenSession &grantee,
                              uint64_t &number, bool &has_expired_grant) const {
    SessionRow from, to;
    Query by_id(file_, Sql::kSessionById), by_number(file_, Sql::kSessionByNumber),
        grants(file_, Sql::kGrantsTo);
    Status status = find_session(by_id.bytes(wanted.owner), from);
    if (status.failed() && status.code != ACCP_E2001) return status;
    number = from.number;
    status = find_session(by_number.number(grantee.row.number), to);
    if (status.ok() && to.fence - grantee.row.fence >= kMaxWriters)
        status = fail(ACCP_E5002, 0, kNotGranted);
    if (status.failed()) return status;
    grants.number(from.number).bytes(by_number.bytes_at(kIdColumn));
    while (grants.row()) {
        std::string_view found, prefix;
        uint64_t expires = 0;
        status = read_grant(grants, from.number, found, prefix, expires);
        if (status.failed()) return status;
        has_expired_grant |= has_expired(expires, wanted.now);
        if (wanted.name.starts_with(prefix) && !has_expired(expires, wanted.now)) return {};
    }
    return grants.status().failed() ? grants.status() : fail(ACCP_E5002, 0, kNotGranted);
}

// Binds the numbers of the row except the session's, and the checksum.
Query &SqliteRows::bind(Query &query, const SessionRow &row) const {
    for (uint64_t n : {row.fence, row.version, row.last, row.generation, row.floor, row.runs,
                       row.indexed, row.content_sum, sum_of(row)})
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
    row.fence = random_seed() >> 2;  // differs from that of an erased session with this number
    Query make(file_, Sql::kSessionMake);
    bind(make.number(row.number), row).bytes(id);
    return make.number(static_cast<uint64_t>(file_.sum({row.number}, id))).run();
}

Status SqliteRows::write_row(const SessionRow &row) const {
    Query query(file_, Sql::kSessionSet);
    return bind(query, row).number(row.number).run();
}

// Returns the packed text, valid until the next call.
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
            Status status = subtract_sum(session, op);
            Query query(file_, Sql::kBlobErase);
            query.number(session.row.number).number(static_cast<uint64_t>(op.tier)).bytes(op.key());
            return status.ok() ? query.run() : status;
        }
        case StoreOp::kGrant: return put_grant(session, op);
        case StoreOp::kRevoke: {
            Status status = subtract_sum(session, op);
            Query query(file_, Sql::kGrantErase);
            query.number(session.row.number).bytes(op.bytes()).bytes(op.key());
            return status.ok() ? query.run() : status;
        }
        default: return {};
    }
}

// Nearly every blob is new, so an existing row is looked up only if the insert fails.
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
        status = subtract_sum(session, op);
        if (status.ok()) status = put(Sql::kBlobReplace);
    }
    session.content_sum += sum;
    return status;
}

Status SqliteRows::put_grant(OpenSession &session, const StoreOp &op) {
    Status status = subtract_sum(session, op);
    const uint64_t number = session.row.number;
    const auto sum = static_cast<uint64_t>(file_.sum({number, op.number}, op.bytes(), op.key()));
    session.content_sum += sum;
    Query query(file_, Sql::kGrantPut);
    query.number(number).bytes(op.bytes()).bytes(op.key()).number(op.number).number(sum);
    return status.ok() ? query.run() : status;
}

// Subtracts the checksum of a blob or grant from the session's sum before it is replaced or
// deleted.
Status SqliteRows::subtract_sum(OpenSession &session, const StoreOp &op) const {
    const bool is_blob = op.kind == StoreOp::kPut || op.kind == StoreOp::kErase;
    Query query(file_, is_blob ? Sql::kBlobSum : Sql::kGrantSum);
    query.number(session.row.number);
    if (is_blob) query.number(static_cast<uint64_t>(op.tier)).bytes(op.key());
    else query.bytes(op.bytes()).bytes(op.key());
    if (query.row()) session.content_sum -= query.number_at(0);
    return query.status();
}

Status SqliteRows::subtract_sums(Query &query, uint64_t &count) const {
    Status status;
    for (; status.ok() && query.row(); ++count) {
        SessionRow row;
        Query find(file_, Sql::kSessionByNumber);
        status = find_session(find.number(query.number_at(0)), row);
        row.content_sum -= query.number_at(1);
        if (status.ok()) status = write_row(row);
    }
    return status.ok() ? query.status() : status;
}

void SqliteLog::begin(uint64_t number) {
    number_ = number;
    mids_.clear();
    records_.clear();
}

Status SqliteLog::add(uint64_t seq, std::string_view record) {
    Status status = records_.is_full(record.size()) ? write_row() : Status{};
    if (!records_.count()) first_ = seq;
    if (status.ok()) records_.add(record);
    return status;
}

Status SqliteLog::finish(bool &loose) {
    loose = !records_.count() && !mids_.empty();
    return records_.count() ? write_row() : Status{};
}

Status SqliteLog::write_row() {
    const uint64_t count = records_.count(), size = records_.bytes();
    row_.recycle(kKeptBytes);
    records_.pack(0, count, packer_, row_);
    const std::string_view mids = {reinterpret_cast<const char *>(mids_.data()),
                                   mids_.size() * sizeof(uint64_t)};
    Query query(file_, Sql::kRecordsPut);
    query.number(place_of(number_, first_)).number(count).number(size);
    query.number(sum(number_, first_, count, size, mids, row_.view()));
    Status status = query.bytes(mids).bytes(row_.view()).run();
    begin(number_);
    return status;
}

uint64_t SqliteLog::sum(uint64_t number, uint64_t seq, uint64_t count, uint64_t size,
                        std::string_view mids, std::string_view bytes) const {
    return static_cast<uint64_t>(count == 1 && bytes.size() == size
                                     ? file_.sum({number, seq}, mids, bytes)
                                     : file_.sum({number, seq, count, size}, mids, bytes));
}

Status SqliteLog::read(Query &query, uint64_t number, uint64_t seq) {
    if (!query.row())
        return query.status().failed() ? query.status() : damaged("a record is missing", seq);
    if (query.number_at(0) > place_of(number, seq) || query.number_at(0) < place_of(number, 1))
        return damaged("a record is missing", seq);
    Status status = read_here(query, number);
    if (status.failed()) return status;
    return seq <= last() ? Status{} : damaged("a record is missing", seq);
}

Status SqliteLog::read_here(Query &query, uint64_t number) {
    const uint64_t seq = query.number_at(0) & kMaxRecords, count = query.number_at(1),
                   size = query.number_at(2);
    found_mids_ = query.bytes_at(4);
    const std::string_view bytes = query.bytes_at(5);
    if (query.status().failed()) return query.status();
    if (query.number_at(3) != sum(number, seq, count, size, found_mids_, bytes) ||
        !records_.unpack(bytes, count, size))
        return damaged("a record is damaged", seq);
    first_ = seq;
    return {};
}

}  // namespace accp::store
