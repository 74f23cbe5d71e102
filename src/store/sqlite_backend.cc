// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Opening, reading, and calls on whole sessions.
#include "store/sqlite_backend.h"

#include <algorithm>

#include "store/sqlite_setup.h"
#include "store/store_impl.h"

namespace accp::store {

Status open_sqlite_backend(Memory &memory, const StorePlace &place, Backend *&out) {
    constexpr std::string_view kScheme = "sqlite:";
    if (!place.name.starts_with(kScheme)) return fail(ACCP_ERR_ARG, 0, kNoStore);
    std::string_view path = place.name.substr(kScheme.size());
    if (path.empty() || path.front() == ':' || path.find('\0') != path.npos)
        return fail(ACCP_ERR_ARG, kScheme.size(),
                    "malformed place: sqlite: is followed by the path of a file");
    Buffer<char> text(memory);
    text.append(path);
    text.push('\0');
    struct Holder {
        Memory &memory;
        SqliteBackend *backend;
        ~Holder() { destroy_backend(memory, backend); }
    } holder = {memory, make_backend<SqliteBackend>(memory)};
    Status status = holder.backend->open(place, text.data());
    if (status.failed()) return status;
    out = holder.backend;
    holder.backend = nullptr;
    return {};
}

Status SqliteBackend::open(const StorePlace &place, const char *path) {
    writes_ = place.writes;
    max_wal_pages_ = setup_of(place).wal_pages;
    vacuums_ = setup_of(place).vacuums;
    wants_full_ = is_full_ = place.durability == Durability::kFull;
    const Status status = file_.open(*memory_, place, path);
    flushes_apart_ = status.ok() && wants_full_ && file_.has_powersafe_overwrite();
    return status;
}

Status SqliteBackend::status(const StatusSink &sink) {
    if (!sink({}, "kind", "sqlite")) return {};
    (void)sink({}, "acknowledged",
               wants_full_ ? "on the device: neither kill -9 nor a power failure loses it"
                           : "with the operating system: kill -9 loses nothing, a power failure "
                             "leaves a prefix");
    return {};
}

// Writes the new fence without a sync. After a power failure there is no older writer to keep out.
Status SqliteBackend::open_session(std::string_view id, bool writes, SessionRow &out) {
    if (!writes) {
        Query query(file_, Sql::kSessionById);
        return rows_.find_session(query.bytes(id), out);
    }
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    Status status = check_writable();
    if (status.ok()) status = set_synchronous(false);
    if (status.failed()) return status;
    ++epoch_;
    Transaction transaction(file_);
    status = transaction.begin();
    if (status.failed()) return status;
    SessionRow row;
    {
        Query query(file_, Sql::kSessionById);
        status = rows_.find_session(query.bytes(id), row);
    }
    if (status.code == ACCP_E2001) {
        status = rows_.make_session(id, row);
    } else if (status.ok()) {
        ++row.fence;
        status = rows_.write_row(row);
    }
    if (status.ok()) status = transaction.commit();
    if (status.ok()) out = row;
    return note_failure(status);
}

Status SqliteBackend::next_session(uint64_t &after, Buffer<char> &out) {
    SessionRow row;
    row.number = after;
    Query query(file_, Sql::kSessionAfter);
    Status status = rows_.find_next(query, row);
    if (status.failed()) return status;
    std::string_view id = query.bytes_at(kIdColumn);
    out.clear();
    out.append(id);
    after = row.number;
    return query.status();
}

// One read transaction, so that the export is a consistent snapshot.
Status SqliteBackend::export_session(std::string_view id, SessionSink &sink) {
    Transaction moment(file_);
    Status status = moment.begin(Sql::kBeginRead);
    return status.ok() ? export_rows(id, sink) : status;
}

Status SqliteBackend::export_rows(std::string_view id, SessionSink &sink) {
    SessionRow row;
    Status status;
    {
        Query query(file_, Sql::kSessionById);
        status = rows_.find_session(query.bytes(id), row);
    }
    Buffer<char> bytes(*memory_);
    if (status.ok()) status = rows_.state(row, bytes);
    if (status.ok()) status = sink.row(id, row, bytes.view());
    if (status.ok() && row.last) {
        Query query(file_, Sql::kRecords);
        query.number(place_of(row.number, 1)).number(place_of(row.number, row.last));
        for (uint64_t seq = 1; status.ok() && seq <= row.last;) {
            status = log_.read(query, row.number, seq);
            for (; status.ok() && seq <= std::min(log_.last(), row.last); ++seq)
                status = sink.record(seq, log_.record(seq));
        }
    }
    uint64_t content_sum = 0;
    if (status.ok())
        status = rows_.each_blob(row.number, content_sum,
                                 [&](const Status &read, std::string_view key, const BlobRow &blob,
                                     std::string_view content) {
                                     return read.ok() ? sink.blob(key, blob, content) : read;
                                 });
    if (status.ok())
        status =
            rows_.each_grant(row.number, content_sum,
                             [&](const Status &read, std::string_view grantee,
                                 std::string_view prefix, uint64_t expires) {
                                 return read.ok() ? sink.grant(grantee, prefix, expires) : read;
                             });
    if (status.ok() && content_sum != row.content_sum)
        status = fail(ACCP_ERR_CORRUPT, 0, kContentMissing);
    Buffer<uint64_t> words(*memory_);
    if (status.ok()) status = mids_.read_all(row, words);
    for (size_t i = 0; status.ok() && i < words.size(); ++i) status = sink.mid(words[i]);
    return status;
}

Status SqliteBackend::stats(StoreStats &out) {
    Transaction moment(file_);
    Status status = moment.begin(Sql::kBeginRead);
    if (status.failed()) return status;
    Query sessions(file_, Sql::kCountSessions), records(file_, Sql::kCountRecords),
        blobs(file_, Sql::kCountBlobs), mids(file_, Sql::kCountMids),
        grants(file_, Sql::kCountGrants);
    for (Query *query : {&sessions, &records, &blobs, &mids, &grants})
        if (!query->row()) return query->status();
    out = {sessions.number_at(0), records.number_at(0),  records.number_at(1), blobs.number_at(0),
           blobs.number_at(1),    mids.number_at(0) / 8, grants.number_at(0)};
    return {};
}

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

Status SqliteBackend::find_shared(const SharedBlob &wanted, const OpenSession &grantee,
                                  BlobRow &row, Buffer<char> *out) {
    uint64_t number = 0;
    bool has_expired_grant = false;
    Status status;
    {
        Transaction moment(file_);
        status = moment.begin(Sql::kBeginRead);
        if (status.ok()) status = rows_.find_grant(wanted, grantee, number, has_expired_grant);
        if (status.ok() && out) status = rows_.blob(number, wanted.tier, wanted.key, row, *out);
    }
    if (has_expired_grant) remove_expired_grants(wanted, number, grantee);
    return status;
}

}  // namespace accp::store
