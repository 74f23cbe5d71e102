// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_backend.h: what goes: rows that are replaced, sessions that are erased, what has
// expired.
#include "store/sqlite_backend.h"

namespace accp::store {

// Removes a session's expired grants to another session as soon as the expiry is noticed, so a
// clock that is set back does not restore them. If they cannot be removed now (another process
// writes, a sync waits for the device, or the store is read-only), the next lookup removes them.
void SqliteBackend::end_grants(const Shared &wanted, uint64_t number, const OpenSession &grantee) {
    if (!writes_ || broken_ || flushing_) return;
    Transaction transaction(file_);
    Status status = transaction.begin();
    SessionRow row;
    uint64_t count = 0;
    {
        Query by_number(file_, Sql::kSessionByNumber), query(file_, Sql::kGrantEnd);
        if (status.ok()) status = rows_.find_session(by_number.number(grantee.row.number), row);
        if (status.ok())
            query.number(number).bytes(by_number.bytes_at(kIdColumn)).number(wanted.now);
        if (status.ok()) status = rows_.forget_sums(query, count);
    }
    ++epoch_;
    (void)note_failure(status.ok() ? transaction.commit() : status);
}

Status SqliteBackend::erase_session(std::string_view id) {
    Status status = may_write();
    if (status.failed()) return status;
    ++epoch_;
    Transaction transaction(file_);
    status = transaction.begin();
    SessionRow row;
    if (status.ok()) {
        Query query(file_, Sql::kSessionById);
        status = rows_.find_session(query.bytes(id), row);
    }
    uint64_t count = 0;
    if (status.ok()) {
        Query query(file_, Sql::kGrantsOf);
        status = rows_.forget_sums(query.bytes(id), count);
    }
    for (Sql which : {Sql::kEraseSession, Sql::kEraseState, Sql::kEraseLog, Sql::kEraseBlobs,
                      Sql::kEraseMids, Sql::kEraseGrants}) {
        if (status.failed()) break;
        Query query(file_, which);
        status = query.number(row.number).run();
    }
    return note_failure(status.ok() ? transaction.commit() : status);
}

Status SqliteBackend::prune(const PrunePolicy &policy, uint64_t &pruned) {
    Status status = may_write();
    if (status.failed()) return status;
    ++epoch_;
    status = note_failure(prune_rows(policy, pruned));
    return status.ok() && vacuums_ ? note_failure(vacuum()) : status;
}

// Copies the contents to a new file and back. The copy is on disk, because it may be larger than
// memory. While another process reads, the log keeps its size until the next checkpoint.
Status SqliteBackend::vacuum() {
    Walk walk(file_);
    Status status = file_.failure(file_.run("PRAGMA temp_store = FILE; VACUUM"));
    const int code = file_.run("PRAGMA temp_store = MEMORY");
    if (status.ok()) status = file_.failure(code);
    if (status.failed()) return status;
    const int done = sqlite3_wal_checkpoint_v2(file_.db(), nullptr, SQLITE_CHECKPOINT_TRUNCATE,
                                               nullptr, nullptr);
    return done == SQLITE_BUSY ? Status{} : file_.failure(done);
}

Status SqliteBackend::prune_rows(const PrunePolicy &policy, uint64_t &pruned) {
    Walk walk(file_);
    Transaction transaction(file_);
    Status status = transaction.begin();
    uint64_t count = 0;
    for (Sql which : {Sql::kBlobExpire, Sql::kGrantExpire}) {
        if (status.failed()) break;
        Query query(file_, which);
        status = rows_.forget_sums(query.number(policy.now), count);
    }
    SessionRow row;
    while (status.ok() && policy.keep_generations) {
        {
            Query next(file_, Sql::kSessionAfter);
            status = rows_.find_next(next, row);
        }
        uint64_t below = status.ok() ? pruned_below(policy, row) : 0;
        if (below < 2) continue;
        Query query(file_, Sql::kBlobPrune);
        status = rows_.forget_sums(query.number(row.number).number(below), count);
    }
    if (status.code == ACCP_E2001) status = {};  // after the last session
    if (status.ok()) status = transaction.commit();
    if (status.ok()) pruned = count;
    return status;
}

}  // namespace accp::store
