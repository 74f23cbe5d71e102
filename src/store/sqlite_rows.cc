// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_rows.h: rows that are read.
#include "store/sqlite_rows.h"

namespace accp::store {

uint64_t SqliteRows::sum_of(const SessionRow &row) const {
    return static_cast<uint64_t>(
        file_.sum({row.number, row.fence, row.version, row.last, row.generation, row.floor,
                   row.runs, row.indexed, row.held}));
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
    row.held = query.number_at(8);
    bool right = query.number_at(9) == sum_of(row) && row.number && row.number <= kMaxSessions;
    std::string_view id = query.bytes_at(kIdColumn);
    right &= query.number_at(kIdColumn + 1) == static_cast<uint64_t>(file_.sum({row.number}, id));
    if (query.status().failed()) return query.status();
    if (!right) return damaged("the row of a session is damaged");
    out = row;
    return {};
}

// The session after this one; sessions that come again would be gone through for ever.
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
    const bool right = query.number_at(2) == state_sum(row.number, version, size, bytes) &&
                       lz_unpack(bytes, size, out);
    return right ? Status{} : damaged("the state is damaged");
}

Status SqliteRows::read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key,
                             std::string_view &bytes) {
    const uint64_t size = query.number_at(4);
    row = {static_cast<Tier>(query.number_at(0)), query.number_at(2), query.number_at(3)};
    key = query.bytes_at(1);
    bytes = query.bytes_at(6);
    if (query.status().failed()) return query.status();
    text_.recycle(kKeptBytes);
    const bool right = query.number_at(kBlobSumColumn) == blob_sum(number, row, size, key, bytes) &&
                       (bytes.size() == size || lz_unpack(bytes, size, text_));
    if (bytes.size() != size) bytes = text_.view();
    return right ? Status{} : damaged("a blob is damaged");
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
    bool right =
        query.number_at(3) == static_cast<uint64_t>(file_.sum({number, expires}, grantee, prefix));
    return right ? Status{} : damaged("a grant is damaged");
}

// Whether the owner exists, and what it has, is the same answer to whoever has no grant. `ended`:
// one that would cover the name has expired.
Status SqliteRows::find_grant(const Backend::Shared &wanted, const OpenSession &grantee,
                              uint64_t &number, bool &ended) const {
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
        ended |= has_expired(expires, wanted.now);
        if (wanted.name.starts_with(prefix) && !has_expired(expires, wanted.now)) return {};
    }
    return grants.status().failed() ? grants.status() : fail(ACCP_E5002, 0, kNotGranted);
}

}  // namespace accp::store
