// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a group of commits, one write for each session. `ops` in the session's stored row counts
// the operations that its writer has written. So after a lost reply a writer can see whether its
// write was done.
#include <algorithm>

#include "store/plugin_backend.h"

namespace accp::store {

namespace {

constexpr size_t kMaxRecordMids = 1024;  // stored with one record; more go to the index at once
constexpr uint64_t kMaxTailRecords = 8192;

void put_note(uint64_t expires, uint64_t generation, char *to) {
    put_number(expires, to);
    put_number(generation, to + sizeof(uint64_t));
}

struct Part {
    StoreLane *lane;
    size_t begin, count;  // its part of the writes
    bool goes_on;

    PluginBackend &backend() const { return static_cast<PluginBackend &>(*lane->backend); }
};

// Writes all parts that go on by one call. `status` keeps the first failure.
void write_parts(PluginContext &context, Buffer<accp_store_write> &writes, Buffer<Part> &parts,
                 Status &status) {
    const auto stop = [&status](Part &part, const Status &why) {
        part.goes_on = false;
        if (status.ok()) status = why;
    };
    writes.clear();
    for (Part &part : parts) {
        if (!part.goes_on) continue;
        const Status collected = part.backend().collect(part.lane->queue);
        if (collected.failed()) stop(part, collected);
        const auto own = part.backend().writes();
        part.begin = writes.size();
        part.count = part.goes_on ? own.size() : 0;
        writes.append(own.data(), part.count);
    }
    Status called;
    if (!writes.empty()) called = PluginPort(context.table).write(writes.data(), writes.size());
    for (Part &part : parts) {
        if (!part.goes_on) continue;
        if (part.count && called.failed()) {
            stop(part, called);
            continue;
        }
        std::copy_n(writes.data() + part.begin, part.count, part.backend().writes().data());
        bool again = false;
        const Status settled = part.backend().settle(part.lane->queue, again);
        if (settled.failed()) stop(part, settled);
        if (settled.failed() || again) continue;
        part.lane->note_written(true);
        part.goes_on = false;
    }
}

}  // namespace

void PluginBackend::begin_group() {
    arena_.reset();
    writes_.clear();
    sent_.clear();
    changes_.clear();
    records_.clear();
}

void PluginBackend::add_op(const StoreOp &op) {
    PluginKey key;
    accp_store_change change = {};
    change.kind = op.kind == StoreOp::kErase || op.kind == StoreOp::kRevoke ? ACCP_STORE_ERASE
                                                                            : ACCP_STORE_PUT;
    switch (op.kind) {
        case StoreOp::kState: key = state_key(); break;
        case StoreOp::kPut:
        case StoreOp::kErase: key = blob_key(op.tier, op.key()); break;
        case StoreOp::kGrant:
        case StoreOp::kRevoke:
            key = grants_key(op.bytes());
            key.add(op.key());
            break;
        default: return;  // the floor is in the row; mids are with records or in the index
    }
    char *kept = arena_.allocate<char>(key.size);
    key.view().copy(kept, key.size);
    change.key = {kept, key.size};
    if (op.kind == StoreOp::kPut || op.kind == StoreOp::kGrant) {
        char *note = arena_.allocate<char>(2 * sizeof(uint64_t));
        put_note(op.number, op.generation, note);
        change.note = {note, 2 * sizeof(uint64_t)};
    }
    if (op.kind == StoreOp::kPut || op.kind == StoreOp::kState) change.value = to_text(op.bytes());
    changes_.push(change);
}

// Stores all mids of this write with its first record.
void PluginBackend::pack_records(size_t first, const Buffer<uint64_t> &words) {
    for (size_t i = first; i < records_.size(); ++i) {
        const std::string_view bytes = to_view(records_[i]);
        const size_t count = i == first ? words.size() : 0, head = 2 + count * sizeof(uint64_t);
        char *kept = arena_.allocate<char>(head + bytes.size());
        kept[0] = static_cast<char>(count);
        kept[1] = static_cast<char>(count >> 8);
        for (size_t at = 0; at < count; ++at)
            put_number(words[at], kept + 2 + at * sizeof(uint64_t));
        bytes.copy(kept + head, bytes.size());
        records_[i] = {kept, head + bytes.size()};
    }
}

// Makes one write of the session's queued operations that are not written yet.
Status PluginBackend::collect_one(OpenSession &session, const CommitQueue &queue) {
    SessionRow next = session.row;
    const std::string_view id = id_of(session);
    const size_t change = changes_.size(), record = records_.size();
    Buffer<uint64_t> words(memory_);
    uint64_t seen = 0, first = next.last + 1;
    const StoreOp *state = nullptr;
    queue.each_of(session, [&](const StoreOp &op) {
        if (seen++ < session.written_ops) return;
        if (op.kind == StoreOp::kState) state = &op;
        else if (op.kind == StoreOp::kMid) words.push(op.number);
        else if (op.kind == StoreOp::kAppend) {
            if (first > op.number) first = op.number;
            next.record_bytes += op.bytes_len;
            records_.push(to_text(op.bytes()));
        } else add_op(op);
    });
    const bool is_made = session.new_id.empty() || session.row.head;
    if (is_made && seen == session.written_ops) return {};
    if (state) add_op(*state);
    next.ops += seen - session.written_ops;
    next.mids += words.size();
    session.has_loose_mids |=
        !words.empty() && (records_.size() == record || words.size() > kMaxRecordMids);
    session.indexing =
        session.tail_loaded && (session.has_loose_mids || session.tail.size() >= kMidTail ||
                                next.last - next.indexed > kMaxTailRecords);
    Status status;
    if (session.indexing) {
        if (!session.tail.empty()) {
            status = mids_.add_tail(id, session, arena_, changes_);
            ++next.runs;
        }
        next.indexed = next.last;
        words.clear();
    }
    if (status.failed()) return status;
    pack_records(record, words);
    const PluginRow row = write_row(next);
    char *kept = arena_.allocate<char>(sizeof row);
    row.view().copy(kept, sizeof row);
    accp_store_write write = {};
    write.session = to_text(id);
    write.after = session.row.head;
    write.row = {kept, sizeof row};
    write.first = first;
    writes_.push(write);
    sent_.push({&session, next, change, record});
    return {};
}

Status PluginBackend::collect(const CommitQueue &queue) {
    begin_group();
    Status status;
    queue.each_session([&](OpenSession &session) {
        if (status.ok() && !session.is_lost) status = collect_one(session, queue);
    });
    for (size_t i = 0; i < writes_.size(); ++i) {
        const bool last = i + 1 == writes_.size();
        writes_[i].changes = changes_.data() + sent_[i].change;
        writes_[i].change_count = (last ? changes_.size() : sent_[i + 1].change) - sent_[i].change;
        writes_[i].records = records_.data() + sent_[i].record;
        writes_[i].record_count = (last ? records_.size() : sent_[i + 1].record) - sent_[i].record;
    }
    return status;
}

// Settles every session, even after a failure. What failed stays queued for the next time.
Status PluginBackend::settle(CommitQueue &queue, bool &again) {
    Status status;
    for (size_t i = 0; i < writes_.size(); ++i) {
        Status one = settle_one(*sent_[i].session, queue, writes_[i], sent_[i].next, again);
        if (status.ok()) status = one;
    }
    return status;
}

Status PluginBackend::settle_one(OpenSession &session, const CommitQueue &queue,
                                 const accp_store_write &write, const SessionRow &next,
                                 bool &again) {
    if (write.status == ACCP_ERR_BUSY) {
        if (!session.new_id.empty()) return fail(ACCP_ERR_BUSY, 0, kIsThere);
        return resolve_conflict(session, queue, again);
    }
    if (write.status != ACCP_OK) {
        if (session.new_id.empty()) return fail(write.status, 0, write.message);
    } else {
        session.written_ops += next.ops - session.row.ops;
        if (session.indexing) {
            mids_.note_added(session.row, next, session.tail);
            session.tail.clear();
            session.has_loose_mids = false;
        }
        session.row.copy_backend_fields(next);
        session.row.head = write.number;
    }
    return write.status == ACCP_OK ? Status{} : fail(write.status, 0, write.message);
}

// Called when another write came first: one that keeps the fence, one of ours whose reply was lost,
// or one by a new owner. Updates the session, and sets `again` if this handle still owns it.
Status PluginBackend::resolve_conflict(OpenSession &session, const CommitQueue &queue,
                                       bool &again) {
    SessionRow now;
    Status status = check(session, true, now);
    if (status.failed() || session.is_lost) return status;
    if (now.head < session.row.head || now.ops < session.row.ops)
        return fail(ACCP_ERR_CORRUPT, 0, "the back end lost a write that it had acknowledged");
    again = true;
    session.written_ops += now.ops - session.row.ops;
    if (now.runs != session.row.runs) {  // rebuild the tail: read the records, then the queue
        session.tail.clear();
        session.tail_loaded = session.has_loose_mids = false;
        uint64_t seen = 0;
        queue.each_of(session, [&](const StoreOp &op) {
            if (seen++ >= session.written_ops && op.kind == StoreOp::kMid)
                session.tail.push(op.number);
        });
        session.written = now.last;
        status = read_tail(session);
        session.tail_loaded = status.ok();
    }
    session.row.copy_backend_fields(now);  // the other fields include queued commits
    return status;
}

Status PluginBackend::check_new_sessions(CommitQueue &queue) {
    Status status;
    queue.each_session([&](OpenSession &session) {
        if (session.new_id.empty() || status.failed()) return;
        SessionRow row;
        status = find_row(session.new_id, row);
        if (status.ok()) status = fail(ACCP_ERR_BUSY, 0, kIsThere);
        else if (status.code == ACCP_E2001) status = {};
        session.row.number = context_.next_number();
        session.row.birth = random_secret() | 1;
    });
    return status;
}

// Also erases sessions whose creation has an unknown result. Their `birth` identifies them.
void PluginBackend::erase_new_sessions(CommitQueue &queue) {
    queue.each_session([&](OpenSession &session) {
        if (session.new_id.empty()) return;
        SessionRow now;
        const bool is_there = session.row.head || (find_row(session.new_id, now).ok() &&
                                                   now.birth == session.row.birth);
        if (is_there) (void)port_.erase(session.new_id);
    });
}

Status PluginBackend::write(CommitQueue &queue, bool) {
    if (!may_write_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    Status status = check_new_sessions(queue);
    bool again = status.ok();
    for (int tries = 0; status.ok() && again; ++tries) {
        if (tries == kGroupTries) status = fail(ACCP_ERR_BUSY, 0, kWrittenTooOften);
        again = false;
        if (status.ok()) status = collect(queue);
        if (status.ok() && !writes_.empty()) status = port_.write(writes_.data(), writes_.size());
        if (status.ok()) status = settle(queue, again);
    }
    if (status.failed()) erase_new_sessions(queue);
    return status;
}

Status write_lanes(PluginContext &context, Memory &memory, const Buffer<StoreLane *> &lanes) {
    Buffer<accp_store_write> writes(memory);
    Buffer<Part> parts(memory);
    for (StoreLane *lane : lanes) parts.push({lane, 0, 0, !lane->queue.empty()});
    Status status;
    for (int tries = 0; tries < kGroupTries; ++tries) {
        write_parts(context, writes, parts, status);
        const auto goes_on = [](const Part &part) { return part.goes_on; };
        if (std::none_of(parts.begin(), parts.end(), goes_on)) return status;
    }
    return status.failed() ? status : fail(ACCP_ERR_BUSY, 0, kWrittenTooOften);
}

}  // namespace accp::store
