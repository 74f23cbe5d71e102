// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes: groups of commits, erasing, and pruning.
#include "store/sqlite_backend.h"

namespace accp::store {

namespace {

// The tail of mids may spread over so many records, which opening a session must read.
constexpr uint64_t kTailRecords = 8192;

// The row after the current write.
SessionRow next_row(const OpenSession &session) {
    SessionRow row = session.row;
    row.content_sum = session.content_sum;
    if (!session.indexing) return row;
    row.indexed = row.last;
    if (!session.tail.empty()) ++row.runs;
    return row;
}

}  // namespace

// After a failed write the contents of the disk are unknown: a second fsync may succeed without the
// pages of the first. So the store refuses further writes.
Status SqliteBackend::note_failure(const Status &status) {
    if (status.code == ACCP_ERR_IO && status.message != kDiskFull) broken_ = true;
    return status;
}

Status SqliteBackend::set_synchronous(bool full) {
    full &= wants_full_;
    if (full == is_full_) return {};
    Status status = file_.failure(
        file_.run(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
    if (status.ok()) is_full_ = full;
    return status;
}

// Fails if the file was removed or replaced, because writes to it would be lost.
Status SqliteBackend::check_writable() {
    if (broken_) return fail(ACCP_ERR_IO, 0, kBroken);
    return file_.was_replaced() ? note_failure(fail(ACCP_ERR_IO, 0, kMoved)) : Status{};
}

Status SqliteBackend::prepare_write(bool to_device) {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    Status status = check_writable();
    return status.ok() ? set_synchronous(to_device || !flushes_apart_) : status;
}

// A transaction that is committed without a sync is in the log. After a power failure, the log
// holds a prefix of such transactions. So a later sync of the log makes durable all
// transactions that were committed before it.
Status SqliteBackend::begin_flush() {
    const Status status = check_writable();
    if (status.failed()) return status;
    log_file_ = file_.log_file();
    flushing_ = true;
    return {};
}

Status SqliteBackend::flush() {
    const bool done =
        !log_file_ || log_file_->pMethods->xSync(log_file_, SQLITE_SYNC_NORMAL) == SQLITE_OK;
    return done ? Status{} : fail(ACCP_ERR_IO, 0, kSyncFailed);
}

Status SqliteBackend::end_flush(const Status &flushed) {
    flushing_ = false;
    return note_failure(flushed);
}

Status SqliteBackend::write(CommitQueue &queue, bool to_device) {
    Status status = prepare_write(to_device);
    if (status.ok()) status = note_failure(write_group(queue));
    if (status.failed()) return status;  // new sessions do not exist after a failure
    queue.each_session([this](OpenSession &session) {
        if (!session.indexing) return;
        SessionRow next = next_row(session);
        mids_.note_added(session.row, next, session.tail);
        session.row.copy_backend_fields(next);
        session.tail.clear();
        session.has_loose_mids = session.indexing = false;
    });
    if (file_.wal_pages >= max_wal_pages_) checkpoint();
    return {};
}

Status SqliteBackend::write_group(CommitQueue &queue) {
    struct EpochBump {  // after a failure, cached rows are invalid
        uint64_t &epoch;
        bool wanted = true;
        ~EpochBump() { epoch += wanted; }
    } bump = {epoch_};
    Transaction transaction(file_);
    Status status = transaction.begin();
    update_epoch();
    queue.each_session([&](OpenSession &session) {
        if (status.ok()) status = check_fence(session);
    });
    queue.each_session([&](OpenSession &session) {
        if (status.ok() && !session.is_lost) status = write_session(session, queue);
    });
    if (status.ok()) status = transaction.commit();
    bump.wanted = status.failed();
    data_version_ = file_.data_version();  // our own commit changes it too
    return status;
}

// Reads the row unless it is known to be current: no other connection has written since the last
// read.
Status SqliteBackend::check_fence(OpenSession &session) {
    session.indexing = false;
    if (session.is_lost || session.checked == epoch_) return {};
    SessionRow row;
    if (!session.new_id.empty()) {
        Status status = rows_.make_session(session.new_id, row);
        session.row.number = row.number;
        session.row.fence = row.fence;
        session.content_sum = 0;
        return status;
    }
    return reload_row(session, row);
}

// Invalidates cached rows if another connection has written. Call it in a transaction.
void SqliteBackend::update_epoch() {
    const uint32_t version = file_.data_version();
    if (version == data_version_) return;
    data_version_ = version;
    ++epoch_;
}

// Reads the row and marks the session if this handle no longer owns it. A writer must have exactly
// the current fence. A reader's fence must be near it: if the session was erased, its number may
// belong to a new session, whose fence starts at another random number.
Status SqliteBackend::reload_row(OpenSession &session, SessionRow &row) {
    Query query(file_, Sql::kSessionByNumber);
    Status status = rows_.find_session(query.number(session.row.number), row);
    update_epoch();
    if (status.failed() && status.code != ACCP_E2001) return status;
    const uint64_t since = row.fence - session.row.fence;
    session.is_erased = status.failed() || since >= kMaxWriters;
    session.is_lost = session.is_erased || (session.writes && since);
    session.content_sum = row.content_sum;
    session.checked = epoch_;
    return {};
}

Status SqliteBackend::check(OpenSession &session, bool fresh, SessionRow &now) {
    if (!fresh) update_epoch();
    return session.is_lost || (!fresh && session.checked == epoch_) ? Status{}
                                                                    : reload_row(session, now);
}

// Writes the operations of one session; of its states only the newest.
Status SqliteBackend::write_ops(OpenSession &session, const CommitQueue &queue) {
    const StoreOp *newest = nullptr;
    Status status;
    log_.begin(session.row.number);
    queue.each_of(session, [&](const StoreOp &op) {
        if (status.failed()) return;
        switch (op.kind) {
            case StoreOp::kAppend: status = log_.add(op.number, op.bytes()); break;
            case StoreOp::kMid: log_.note_mid(op.number); break;
            case StoreOp::kState: newest = &op; break;
            default: status = rows_.write_op(session, op);
        }
    });
    bool loose = false;
    if (status.ok()) status = log_.finish(loose);
    session.has_loose_mids |= loose;
    return status.ok() && newest ? rows_.write_state(session.row.number, *newest) : status;
}

Status SqliteBackend::write_session(OpenSession &session, const CommitQueue &queue) {
    Status status = write_ops(session, queue);
    session.indexing =
        session.tail_loaded && (session.has_loose_mids || session.tail.size() >= kMidTail ||
                                session.row.last - session.row.indexed > kTailRecords);
    if (status.ok() && session.indexing && !session.tail.empty()) status = mids_.add_tail(session);
    return status.ok() ? rows_.write_row(next_row(session)) : status;
}

// If the checkpoint fails, the next one does its work. But after a device error the store refuses
// further writes.
void SqliteBackend::checkpoint() {
    int code =
        sqlite3_wal_checkpoint_v2(file_.db(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    (void)note_failure(file_.failure(code));
}

// Removes a session's expired grants to another session as soon as the expiry is noticed, so a
// clock that is set back does not restore them. If they cannot be removed now (another process
// writes, a sync waits for the device, or the store is read-only), the next lookup removes them.
void SqliteBackend::remove_expired_grants(const SharedBlob &wanted, uint64_t number,
                                          const OpenSession &grantee) {
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
        if (status.ok()) status = rows_.subtract_sums(query, count);
    }
    ++epoch_;
    (void)note_failure(status.ok() ? transaction.commit() : status);
}

Status SqliteBackend::erase_session(std::string_view id) {
    Status status = prepare_write();
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
        status = rows_.subtract_sums(query.bytes(id), count);
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
    Status status = prepare_write();
    if (status.failed()) return status;
    ++epoch_;
    status = note_failure(prune_rows(policy, pruned));
    return status.ok() && vacuums_ ? note_failure(vacuum()) : status;
}

// Copies the contents to a new file and back. The copy is on disk, because it may be larger than
// memory. While another process reads, the log keeps its size until the next checkpoint.
Status SqliteBackend::vacuum() {
    ScanLimit limit(file_);
    Status status = file_.failure(file_.run("PRAGMA temp_store = FILE; VACUUM"));
    const int code = file_.run("PRAGMA temp_store = MEMORY");
    if (status.ok()) status = file_.failure(code);
    if (status.failed()) return status;
    const int done = sqlite3_wal_checkpoint_v2(file_.db(), nullptr, SQLITE_CHECKPOINT_TRUNCATE,
                                               nullptr, nullptr);
    return done == SQLITE_BUSY ? Status{} : file_.failure(done);
}

Status SqliteBackend::prune_rows(const PrunePolicy &policy, uint64_t &pruned) {
    ScanLimit limit(file_);
    Transaction transaction(file_);
    Status status = transaction.begin();
    uint64_t count = 0;
    for (Sql which : {Sql::kBlobExpire, Sql::kGrantExpire}) {
        if (status.failed()) break;
        Query query(file_, which);
        status = rows_.subtract_sums(query.number(policy.now), count);
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
        status = rows_.subtract_sums(query.number(row.number).number(below), count);
    }
    if (status.code == ACCP_E2001) status = {};  // after the last session
    if (status.ok()) status = transaction.commit();
    if (status.ok()) pruned = count;
    return status;
}

}  // namespace accp::store
