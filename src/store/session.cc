// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See store.h: what an open session does. Reads see the queue first, and then the backend.
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

// Does this batch suit the session as it stands? Counts its mids.
Status check_batch(const StoreBatch &batch, const OpenSession &session, uint64_t last,
                   uint64_t version, size_t &mids) {
    if (batch.broken())
        return fail(ACCP_ERR_ARG, 0, "a key of more than 256 bytes, or a text of more than 64 MiB");
    if (batch.appends() && last != session.row.last)
        return fail(ACCP_ERR_BUSY, 0, "the log has grown since");
    if (batch.appends() > kMaxRecords - session.row.last)
        return fail(ACCP_ERR_ARG, 0, "the log is full");
    for (const char *at = batch.begin(), *end = at + batch.size(); at < end;) {
        const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
        Status status = check_op(op);
        if (status.failed()) return status;
        if (op.kind == StoreOp::kState && version != session.row.version)
            return fail(ACCP_ERR_BUSY, 0, "the state has changed since");
        mids += op.kind == StoreOp::kMid;
        at += op.size();
    }
    return {};
}

// Takes back what a commit did that goes no further, by a failure or for want of memory. The queue
// then ends with this commit, or before it.
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
        lane.lanes.count(lane);
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

// now: what is queued goes first, so that nothing of others is taken back with it.
Status StoreSession::commit(const StoreBatch &batch, uint64_t last, uint64_t version, bool now) {
    if (!inside_.writes) return fail(ACCP_ERR_ARG, 0, "the session was opened to read");
    StoreLane &lane = *lane_;
    std::unique_lock<std::mutex> held(lane.lock);
    const bool is_full = !lane.queue.empty() && lane.lanes.is_full(batch.size());
    if (now || is_full) lane.begin_write(held);
    if (inside_.lost) return mine();
    size_t mids = 0;
    Status status = check_batch(batch, inside_, last, version, mids);
    if (status.ok() && mids && !inside_.has_tail) status = seal(load_tail());
    if (status.ok() && !lane.queue.empty() && (now || is_full)) status = lane.write(false);
    if (status.failed() || batch.empty()) return status;
    if (inside_.lost) return mine();

    Undo undo(lane, inside_);
    inside_.tail.reserve(mids);
    lane.queue.add(inside_, batch);
    inside_.newest_commit = ++lane.progress.committed;
    for (const char *at = batch.begin(), *end = at + batch.size(); mids && at < end;) {
        const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
        if (op.kind == StoreOp::kMid) inside_.tail.push(op.number);
        at += op.size();
    }
    if (now || lane.backend->is_durable_at_once()) status = lane.write(false);
    if (status.failed()) return status;
    undo.wanted = false;
    if (!now) return mine();
    held.unlock();  // other threads write meanwhile, and all wait for the device together
    status = lane.sync(held, &inside_);
    return status.failed() ? status : mine();
}

Status StoreSession::mine() const {
    return inside_.lost ? fail(ACCP_ERR_CLOSED, 0, inside_.erased ? kErased : kLost) : Status{};
}

// After a read: what it found, or missed, counts only while the session is this handle's. What
// another writer or an eraser leaves is no damage.
Status StoreSession::seal(const Status &found) {
    if (found.code < 0 && found.code != ACCP_ERR_CORRUPT) return found;
    SessionRow now;
    Status status = lane_->backend->check(inside_, false, now);
    if (status.ok()) status = mine();
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
    Status status = lane_->backend->check(inside_, true, now);
    if (status.ok()) status = mine();
    if (status.failed() || inside_.writes) return status;
    moved = now.version != inside_.row.version;
    if (moved) inside_.row = now;
    return {};
}

Status StoreSession::sync() {
    std::unique_lock<std::mutex> lock(lane_->lock, std::defer_lock);
    const Status status = lane_->sync(lock, &inside_);
    return status.failed() ? status : mine();
}

Status StoreSession::load_tail() {
    if (inside_.has_tail) return {};
    Status status = lane_->backend->read_tail(inside_);
    inside_.has_tail = status.ok();
    return status;
}

Status StoreSession::state(Buffer<char> &out) {
    std::lock_guard<std::mutex> held(lane_->lock);
    const StoreOp *found = nullptr;
    lane_->queue.each_of(inside_, [&](const StoreOp &op) {
        if (op.kind == StoreOp::kState) found = &op;
    });
    if (found) {
        out.assign(found->bytes());
        return mine();
    }
    Status status = seal(lane_->backend->state(inside_, out));
    if (status.failed()) out.clear();
    return status;
}

Status StoreSession::scan(uint64_t first, uint64_t last, bool newest_first, size_t max_bytes,
                          StoreRecords &out) {
    out.clear();
    std::unique_lock<std::mutex> held(lane_->lock);
    if (inside_.lost) return mine();  // what it committed since is nowhere
    if (!last || last > inside_.row.last) last = inside_.row.last;
    if (!first) first = 1;
    if (first > last) return {};
    if (last > inside_.written) {  // rare: what was just appended is still with whoever appended it
        lane_->begin_write(held);
        Status status = lane_->write(false);
        if (status.failed()) return status;
        if (inside_.lost) return mine();
    }
    Status status = seal(lane_->backend->scan(inside_, first, last, newest_first, max_bytes, out));
    if (status.failed()) out.clear();
    return status;
}

Status StoreSession::blob(Tier tier, std::string_view key, uint64_t now, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(lane_->lock);
    const StoreOp *found = nullptr;
    lane_->queue.each_of(inside_, [&](const StoreOp &op) {
        if (is_blob(op, tier, key)) found = &op;
    });
    BlobRow row;
    if (found && found->kind == StoreOp::kErase) return fail(ACCP_E2001, 0, kNoBlob);
    if (found) {
        row.expires = found->number;
        out.assign(found->bytes());
    } else {
        Status status = seal(lane_->backend->blob(inside_.row.number, tier, key, row, out));
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
    for (size_t i = 0; status.ok() && i < inside_.tail.size(); ++i)
        found |= inside_.tail[i] == word;
    if (status.ok() && !found) status = lane_->backend->has_mid(inside_, word, found);
    out = found;
    return seal(status);
}

// After the lock. out: the blob too.
Status StoreSession::find_shared(std::string_view owner, Tier tier, std::string_view key,
                                 uint64_t now, Buffer<char> *out) {
    if (key.size() > kMaxBlobKeyBytes) return fail(ACCP_E5002, 0, kNotGranted);
    char name[8 + kMaxBlobKeyBytes];
    std::string_view tier_name = kTierNames[static_cast<int>(tier)];
    std::memcpy(name, tier_name.data(), tier_name.size());
    name[tier_name.size()] = '.';
    if (!key.empty()) std::memcpy(name + tier_name.size() + 1, key.data(), key.size());
    Store::Inside &store = *store_->inside_;
    // a clock that goes back brings no grant back
    uint64_t latest = store.latest.load();
    while (now > latest && !store.latest.compare_exchange_weak(latest, now)) {
    }
    latest = latest > now ? latest : now;
    BlobRow row;
    Status status = lane_->backend->find_shared(
        {owner, {name, tier_name.size() + 1 + key.size()}, tier, key, latest}, inside_, row, out);
    status = seal(status);
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

// The lane is pinned meanwhile, as whoever lets go of it last frees it.
void StoreSession::close() {
    StoreLane *lane = lane_;
    StoreLanes &lanes = lane->lanes;
    lanes.pin(*lane);
    {
        std::lock_guard<std::mutex> held(lane->lock);
        inside_.closed = true;
        if (!inside_.first) lane->release(this);
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
