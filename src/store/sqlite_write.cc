// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_backend.h: a group of commits as one transaction.
#include "store/sqlite_backend.h"

namespace accp::store {

namespace {

// that the tail of mids may be spread over: what opening a session must read
constexpr uint64_t kTailRecords = 8192;

// As the row will stand when this write, which indexes the session's tail, is done.
SessionRow next_row(const OpenSession &session) {
    SessionRow row = session.row;
    row.held = session.held;
    if (!session.indexing) return row;
    row.indexed = row.last;
    if (!session.tail.empty()) ++row.runs;
    return row;
}

}  // namespace

// After a failed write nobody knows what is on the disk (a second fsync may succeed without the
// pages of the first): no more of them.
Status SqliteBackend::note_failure(const Status &status) {
    if (status.code == ACCP_ERR_IO && status.message != kDiskFull) broken_ = true;
    return status;
}

Status SqliteBackend::set_level(bool full) {
    full &= wants_full_;
    if (full == is_full_) return {};
    Status status = file_.failure(
        file_.run(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
    if (status.ok()) is_full_ = full;
    return status;
}

// What is written to a file that has no name any more is lost.
Status SqliteBackend::may_be_written() {
    if (broken_) return fail(ACCP_ERR_IO, 0, kBroken);
    return file_.is_moved() ? note_failure(fail(ACCP_ERR_IO, 0, kMoved)) : Status{};
}

Status SqliteBackend::may_write(bool to_device) {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    Status status = may_be_written();
    return status.ok() ? set_level(to_device || !flushes_apart_) : status;
}

// A transaction that is committed without a sync is in the log. After a power failure, the log
// holds a prefix of such transactions. So a later sync of the log makes durable all
// transactions that were committed before it.
Status SqliteBackend::begin_flush() {
    const Status status = may_be_written();
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
    Status status = may_write(to_device);
    if (status.ok()) status = note_failure(write_group(queue));
    if (status.failed()) return status;  // new sessions are gone again, with their numbers
    queue.each_session([this](OpenSession &session) {
        if (!session.indexing) return;
        SessionRow next = next_row(session);
        mids_.note_added(session.row, next, session.tail);
        session.row.take_kept(next);
        session.tail.clear();
        session.loose = session.indexing = false;
    });
    if (file_.wal_pages >= max_wal_pages_) checkpoint();
    return {};
}

Status SqliteBackend::write_group(CommitQueue &queue) {
    struct Doubt {  // what sessions know of their rows is of a write that came to nothing
        uint64_t &epoch;
        bool wanted = true;
        ~Doubt() { epoch += wanted; }
    } doubt = {epoch_};
    Transaction transaction(file_);
    Status status = transaction.begin();
    note_version();
    queue.each_session([&](OpenSession &session) {
        if (status.ok()) status = check_fence(session);
    });
    queue.each_session([&](OpenSession &session) {
        if (status.ok() && !session.lost) status = write_session(session, queue);
    });
    if (status.ok()) status = transaction.commit();
    doubt.wanted = status.failed();
    data_version_ = file_.data_version();  // a commit of our own is counted too
    return status;
}

// A row that was looked at is what it was while no other connection has written, and this one has
// changed none but by such writes.
Status SqliteBackend::check_fence(OpenSession &session) {
    session.indexing = false;
    if (session.lost || session.checked == epoch_) return {};
    SessionRow row;
    if (!session.new_id.empty()) {
        Status status = rows_.make_session(session.new_id, row);
        session.row.number = row.number;
        session.row.fence = row.fence;
        session.held = 0;
        return status;
    }
    return look_at(session, row);
}

// In a transaction: rows that were looked at may have changed where another connection has written.
void SqliteBackend::note_version() {
    const uint32_t version = file_.data_version();
    if (version == data_version_) return;
    data_version_ = version;
    ++epoch_;
}

// Marks a session that is its handle's no more. A writer has the very fence that it was opened
// with; whoever reads has one of the same beginning, as an erased session's number may be another's
// by now, which began anywhere.
Status SqliteBackend::look_at(OpenSession &session, SessionRow &row) {
    Query query(file_, Sql::kSessionByNumber);
    Status status = rows_.find_session(query.number(session.row.number), row);
    note_version();
    if (status.failed() && status.code != ACCP_E2001) return status;
    const uint64_t since = row.fence - session.row.fence;
    session.erased = status.failed() || since >= kMaxWriters;
    session.lost = session.erased || (session.writes && since);
    session.held = row.held;
    session.checked = epoch_;
    return {};
}

Status SqliteBackend::check(OpenSession &session, bool fresh, SessionRow &now) {
    if (!fresh) note_version();
    return session.lost || (!fresh && session.checked == epoch_) ? Status{} : look_at(session, now);
}

// What the group has of one session; of its states only the newest.
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
    session.loose |= loose;
    return status.ok() && newest ? rows_.write_state(session.row.number, *newest) : status;
}

Status SqliteBackend::write_session(OpenSession &session, const CommitQueue &queue) {
    Status status = write_ops(session, queue);
    session.indexing = session.has_tail && (session.loose || session.tail.size() >= kMidTail ||
                                            session.row.last - session.row.indexed > kTailRecords);
    if (status.ok() && session.indexing && !session.tail.empty()) status = mids_.add_tail(session);
    return status.ok() ? rows_.write_row(next_row(session)) : status;
}

// What this cannot do the next one does; but a device that fails is not written to again.
void SqliteBackend::checkpoint() {
    int code =
        sqlite3_wal_checkpoint_v2(file_.db(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    (void)note_failure(file_.failure(code));
}

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
