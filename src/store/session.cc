// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Open sessions. Reads look at the queue first, then at the back end.
#include <cstring>

#include "store/store_impl.h"

namespace accp::store {

namespace {

constexpr int kSharedTries = 16;

Status commit_once(Store &store, std::string_view id, const StoreBatch &batch) {
    StoreSession *opened = nullptr;
    Status status = store.open_session(id, true, opened);
    if (status.failed()) return status;
    const HeldSession session(opened);
    return session->commit_now(batch);
}

// Checks a batch against the current row of the session. Counts its mids.
Status check_batch(const StoreBatch &batch, const OpenSession &session, uint64_t last,
                   uint64_t version, size_t &mids) {
    if (batch.has_oversized_text())
        return fail(ACCP_ERR_ARG, 0,
                    "a key or a text is too long: a key has at most 256 bytes, a text 64 MiB");
    if (batch.appends() && last != session.row.last)
        return fail(ACCP_ERR_BUSY, 0, "the log has grown since the caller read the session");
    if (batch.appends() > kMaxRecords - session.row.last)
        return fail(ACCP_ERR_ARG, 0, "the log is full");
    for (const char *at = batch.begin(), *end = at + batch.size(); at < end;) {
        const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
        Status status = check_op(op);
        if (status.failed()) return status;
        if (op.kind == StoreOp::kState && version != session.row.version)
            return fail(ACCP_ERR_BUSY, 0,
                        "the state has changed since the caller read the session");
        mids += op.kind == StoreOp::kMid;
        at += op.size();
    }
    return {};
}

// Undoes a commit that failed halfway or ran out of memory. When it runs, the commit is the last in
// the queue or not in it yet.
struct Undo {
    Undo(StoreLane &to, OpenSession &of)
        : lane(to),
          session(of),
          row(of.row),
          tail(of.tail.size()),
          size(to.queue.size()),
          newest(of.newest) {}
    ~Undo() {
        if (wanted) {
            lane.queue.take_back(size, session, newest);
            session.row = row;
            session.tail.resize_down(tail);
        }
        lane.lanes.update_queued(lane);
    }

    StoreLane &lane;
    OpenSession &session;
    SessionRow row;
    size_t tail;
    size_t size;
    uint64_t newest;
    bool wanted = true;
};

bool is_blob(const StoreOp &op, Tier tier, std::string_view key) {
    return (op.kind == StoreOp::kPut || op.kind == StoreOp::kErase) && op.tier == tier &&
           op.key() == key;
}

}  // namespace

// now: writes the earlier queue first, so that an undo affects only this commit.
Status StoreSession::commit(const StoreBatch &batch, uint64_t last, uint64_t version, bool now) {
    if (!open_.writes)
        return fail(ACCP_ERR_ARG, 0, "the session was opened read-only: open it to write");
    StoreLane &lane = *lane_;
    std::unique_lock<std::mutex> held(lane.lock);
    const bool is_full = !lane.queue.empty() && lane.lanes.is_full(batch.size());
    if (now || is_full) lane.begin_write(held);
    if (open_.is_lost) return check_owner();
    size_t mids = 0;
    Status status = check_batch(batch, open_, last, version, mids);
    if (status.ok() && mids && !open_.tail_loaded) status = confirm(load_tail());
    if (status.ok() && !lane.queue.empty() && (now || is_full)) status = lane.write(false);
    if (status.failed() || batch.empty()) return status;
    if (open_.is_lost) return check_owner();

    Undo undo(lane, open_);
    open_.tail.reserve(mids);
    lane.queue.add(open_, batch);
    open_.newest_commit = ++lane.progress.committed;
    for (const char *at = batch.begin(), *end = at + batch.size(); mids && at < end;) {
        const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
        if (op.kind == StoreOp::kMid) open_.tail.push(op.number);
        at += op.size();
    }
    if (now || lane.backend->is_durable_at_once()) status = lane.write(false);
    if (status.failed()) return status;
    undo.wanted = false;
    if (!now) return check_owner();
    held.unlock();  // other threads commit meanwhile and share the sync
    status = lane.sync(held, &open_);
    return status.failed() ? status : check_owner();
}

Status StoreSession::check_owner() const {
    return open_.is_lost ? fail(ACCP_ERR_CLOSED, 0, open_.is_erased ? kErased : kLost) : Status{};
}

// Replaces the result of a read by ACCP_ERR_CLOSED if this handle no longer owns the session. A new
// writer or an erase may leave the session in a state that looks damaged.
Status StoreSession::confirm(const Status &found) {
    if (found.code < 0 && found.code != ACCP_ERR_CORRUPT) return found;
    SessionRow now;
    Status status = lane_->backend->check(open_, false, now);
    if (status.ok()) status = check_owner();
    return status.failed() ? status : found;
}

Status StoreSession::check() {
    bool moved;
    return follow(moved);
}

Status StoreSession::follow(bool &moved) {
    std::lock_guard<std::mutex> held(lane_->lock);
    SessionRow now;
    moved = false;
    Status status = lane_->backend->check(open_, true, now);
    if (status.ok()) status = check_owner();
    if (status.failed() || open_.writes) return status;
    moved = now.version != open_.row.version;
    if (moved) open_.row = now;
    return {};
}

Status StoreSession::sync() {
    std::unique_lock<std::mutex> lock(lane_->lock, std::defer_lock);
    const Status status = lane_->sync(lock, &open_);
    return status.failed() ? status : check_owner();
}

Status StoreSession::load_tail() {
    if (open_.tail_loaded) return {};
    Status status = lane_->backend->read_tail(open_);
    open_.tail_loaded = status.ok();
    return status;
}

Status StoreSession::state(Buffer<char> &out) {
    std::lock_guard<std::mutex> held(lane_->lock);
    const StoreOp *found = nullptr;
    lane_->queue.each_of(open_, [&](const StoreOp &op) {
        if (op.kind == StoreOp::kState) found = &op;
    });
    if (found) {
        out.assign(found->bytes());
        return check_owner();
    }
    Status status = confirm(lane_->backend->state(open_, out));
    if (status.failed()) out.clear();
    return status;
}

Status StoreSession::scan(uint64_t first, uint64_t last, bool newest_first, size_t max_bytes,
                          StoreRecords &out) {
    out.clear();
    std::unique_lock<std::mutex> held(lane_->lock);
    if (open_.is_lost) return check_owner();  // its unsynced commits are gone
    if (!last || last > open_.row.last) last = open_.row.last;
    if (!first) first = 1;
    if (first > last) return {};
    if (last > open_.written) {  // rare: a caller still has what it just appended
        lane_->begin_write(held);
        Status status = lane_->write(false);
        if (status.failed()) return status;
        if (open_.is_lost) return check_owner();
    }
    Status status = confirm(lane_->backend->scan(open_, first, last, newest_first, max_bytes, out));
    if (status.failed()) out.clear();
    return status;
}

Status StoreSession::blob(Tier tier, std::string_view key, uint64_t now, Buffer<char> &out) {
    if (key.size() > kMaxBlobKeyBytes) return fail(ACCP_E2001, 0, kNoBlob);
    std::lock_guard<std::mutex> held(lane_->lock);
    const StoreOp *found = nullptr;
    lane_->queue.each_of(open_, [&](const StoreOp &op) {
        if (is_blob(op, tier, key)) found = &op;
    });
    BlobRow row;
    if (found && found->kind == StoreOp::kErase) return fail(ACCP_E2001, 0, kNoBlob);
    if (found) {
        row.expires = found->number;
        out.assign(found->bytes());
    } else {
        Status status = confirm(lane_->backend->blob(open_.row.number, tier, key, row, out));
        if (status.failed()) {
            out.clear();
            return status;
        }
    }
    if (!has_expired(row.expires, now)) return {};
    out.clear();
    return fail(ACCP_E2002, 0, "the blob has expired");
}

Status StoreSession::has_mid_word(uint64_t word, bool &out) {
    std::lock_guard<std::mutex> held(lane_->lock);
    Status status = load_tail();
    bool found = false;
    for (size_t i = 0; status.ok() && i < open_.tail.size(); ++i) found |= open_.tail[i] == word;
    if (status.ok() && !found) status = lane_->backend->has_mid(open_, word, found);
    out = found;
    return confirm(status);
}

// Call it with the lock held. If `out` is not NULL, also reads the blob.
Status StoreSession::find_shared(std::string_view owner, Tier tier, std::string_view key,
                                 uint64_t now, Buffer<char> *out) {
    if (key.size() > kMaxBlobKeyBytes) return fail(ACCP_E5002, 0, kNotGranted);
    char name[8 + kMaxBlobKeyBytes];
    std::string_view tier_name = kTierNames[static_cast<int>(tier)];
    std::memcpy(name, tier_name.data(), tier_name.size());
    name[tier_name.size()] = '.';
    if (!key.empty()) std::memcpy(name + tier_name.size() + 1, key.data(), key.size());
    Store::Impl &store = *store_->impl_;
    // a clock that is set back does not revive an expired grant
    uint64_t latest = store.latest.load();
    while (now > latest && !store.latest.compare_exchange_weak(latest, now)) {
    }
    latest = latest > now ? latest : now;
    BlobRow row;
    Status status = lane_->backend->find_shared(
        {owner, {name, tier_name.size() + 1 + key.size()}, tier, key, latest}, open_, row, out);
    status = confirm(status);
    if (status.ok() && out && has_expired(row.expires, now))
        status = fail(ACCP_E2002, 0, "the blob has expired");
    if (status.failed() && out) out->clear();
    return status;
}

Status StoreSession::check_grant(std::string_view owner, Tier tier, std::string_view key,
                                 uint64_t now) {
    std::lock_guard<std::mutex> held(lane_->lock);
    return find_shared(owner, tier, key, now, nullptr);
}

Status StoreSession::shared_blob(std::string_view owner, Tier tier, std::string_view key,
                                 uint64_t now, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(lane_->lock);
    return find_shared(owner, tier, key, now, &out);
}

// The pin keeps the lane alive until the end of this call.
void StoreSession::close() {
    StoreLane *lane = lane_;
    StoreLanes &lanes = lane->lanes;
    lanes.pin(*lane);
    {
        std::lock_guard<std::mutex> held(lane->lock);
        open_.is_closed = true;
        if (!open_.first) lane->release(this);
    }
    lanes.unpin(lane);
}

Status commit_shared(Store &store, std::string_view id, const StoreBatch &batch, const char *busy) {
    for (int tries = 0; tries < kSharedTries; ++tries) {
        const Status status = commit_once(store, id, batch);
        if (status.code != ACCP_ERR_CLOSED) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, busy);
}

}  // namespace accp::store
