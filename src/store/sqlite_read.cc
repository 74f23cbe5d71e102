// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_backend.h: what is read of one session.
#include "store/sqlite_backend.h"

namespace accp::store {

Status SqliteBackend::state(const OpenSession &session, Buffer<char> &out) {
    return rows_.state(session.row, out);
}

Status SqliteBackend::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                           Buffer<char> &out) {
    return rows_.blob(number, tier, key, row, out);
}

Status SqliteBackend::has_mid(OpenSession &session, uint64_t word, bool &out) {
    return mids_.has(session.row, word, out);
}

Status SqliteBackend::read_tail(OpenSession &session) { return mids_.read_tail(session); }

Status SqliteBackend::scan(const OpenSession &session, uint64_t first, uint64_t last,
                           bool newest_first, size_t max_bytes, StoreRecords &out) {
    const uint64_t number = session.row.number, count = last - first + 1;
    Query query(file_, newest_first ? Sql::kRecordsBack : Sql::kRecordsFrom);
    query.number(place_of(number, newest_first ? 1 : first)).number(place_of(number, last));
    bool in_row = false;
    for (uint64_t i = 0; i < count && (i == 0 || out.bytes() < max_bytes); ++i) {
        const uint64_t seq = newest_first ? last - i : first + i;
        in_row = in_row && seq >= log_.first() && seq <= log_.last();
        Status status = in_row ? Status{} : log_.read(query, number, seq);
        if (status.failed()) {
            out.clear();
            return status;
        }
        in_row = true;
        out.add(seq, log_.record(seq));
    }
    return {};
}

Status SqliteBackend::find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row,
                                  Buffer<char> *out) {
    uint64_t number = 0;
    bool ended = false;
    Status status;
    {
        Transaction moment(file_);
        status = moment.begin(Sql::kBeginRead);
        if (status.ok()) status = rows_.find_grant(wanted, grantee, number, ended);
        if (status.ok() && out) status = rows_.blob(number, wanted.tier, wanted.key, row, *out);
    }
    if (ended) end_grants(wanted, number, grantee);
    return status;
}

}  // namespace accp::store
