// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Verifies a file: first SQLite's own check of its pages and indices, then every row. Continues
// after damage.
#include "store/sqlite_backend.h"

namespace accp::store {

class SqliteVerifier {
public:
    SqliteVerifier(SqliteBackend &of, Memory &memory, void (*report)(const Damage &, void *),
                   void *user)
        : at_(of), id_(memory), words_(memory), bytes_(memory), report_(report), user_(user) {}

    Status run() {
        ScanLimit limit(at_.file_);
        Transaction moment(at_.file_);  // a snapshot
        Status status = moment.begin(Sql::kBeginRead);
        if (status.ok()) status = check_structure();
        SessionRow row;
        while (status.ok() && next(row, status)) status = check_session(row);
        if (status.ok()) status = check_orphans();
        if (status.failed()) return status;
        return found_ ? fail(ACCP_ERR_CORRUPT, 0, "the store is damaged") : Status{};
    }

private:
    void report(const char *what, uint64_t seq = 0, std::string_view name = {}) {
        found_ = true;
        report_({id_.view(), what, seq, name}, user_);
    }
    // Reports damage and returns success, so that the check continues. Returns any other error.
    Status take(const Status &status, std::string_view name = {}) {
        if (status.code != ACCP_ERR_CORRUPT) return status;
        report(status.message, status.offset, name);
        return {};
    }

    Status check_structure() {
        Query query(at_.file_, Sql::kIntegrity);
        while (query.row()) {
            std::string_view found = query.bytes_at(0);
            if (found != "ok") report("the structure of the file is damaged", 0, found);
            // the pages are damaged, so a scan of rows might not end
            if (found.starts_with("***")) return {};
        }
        return take(query.status());
    }

    bool next(SessionRow &row, Status &status) {
        Query query(at_.file_, Sql::kSessionAfter);
        uint64_t before = row.number;
        status = at_.rows_.find_session(query.number(before), row);
        id_.clear();
        if (status.code == ACCP_E2001) {
            status = {};
            return false;
        }
        if (status.code == ACCP_ERR_CORRUPT && query.is_at_row() && query.number_at(0) > before)
            row.number = query.number_at(0);
        if (row.number <= before) {  // no row, or pages are reached twice
            status = take(status);
            return false;
        }
        std::string_view id = query.bytes_at(kIdColumn);
        id_.append(id);
        status = take(status);
        return status.ok();
    }

    Status check_session(const SessionRow &row) {
        Status status = take(at_.rows_.state(row, bytes_));
        if (status.ok()) status = check_records(row);
        uint64_t content_sum = 0;
        if (status.ok())
            status = take(at_.rows_.each_blob(
                row.number, content_sum,
                [this](const Status &read, std::string_view key, const BlobRow &,
                       std::string_view) { return take(read, key); }));
        if (status.ok())
            status = take(
                at_.rows_.each_grant(row.number, content_sum,
                                     [this](const Status &read, std::string_view, std::string_view,
                                            uint64_t) { return take(read); }));
        if (status.ok() && content_sum != row.content_sum) report(kContentMissing);
        return status.ok() ? take(at_.mids_.read_all(row, words_)) : status;
    }

    Status check_records(const SessionRow &row) {
        Query query(at_.file_, Sql::kRecords);
        query.number(place_of(row.number, 0)).number(place_of(row.number, kMaxRecords));
        uint64_t expected = 1;
        Status status;
        while (status.ok() && query.row()) {
            const uint64_t seq = query.number_at(0) & kMaxRecords;
            const uint64_t count = query.number_at(1);
            if (seq < expected) {  // pages are reached twice, perhaps without end
                report("records are out of order", seq);
                break;
            }
            expected = check_row(row, seq, expected, count);
            const Status read = at_.log_.read_here(query, row.number);
            if (query.status().failed()) break;
            status = take(read);
        }
        if (status.failed()) return status;
        if (query.status().ok() && expected <= row.last) report("records are missing", expected);
        return take(query.status());
    }

    // Checks that a row of the log begins where one is expected. Returns the number of the record
    // after it.
    uint64_t check_row(const SessionRow &row, uint64_t seq, uint64_t expected, uint64_t count) {
        const uint64_t next = seq + (count && count <= kMaxRowRecords ? count : 1);
        if (next - 1 > row.last) report("a record after the last one", next - 1);
        if (seq != expected && seq <= row.last) report("records are missing", expected);
        return next;
    }

    Status check_orphans() {
        id_.clear();
        Query query(at_.file_, Sql::kOrphans);
        if (query.row() && query.number_at(0)) report("some rows belong to no session");
        return take(query.status());
    }

    SqliteBackend &at_;
    Buffer<char> id_;  // of the current session
    Buffer<uint64_t> words_;
    Buffer<char> bytes_;
    void (*report_)(const Damage &, void *);
    void *user_;
    bool found_ = false;
};

Status SqliteBackend::verify(void (*report)(const Damage &damage, void *user), void *user) {
    return SqliteVerifier(*this, *memory_, report, user).run();
}

}  // namespace accp::store
