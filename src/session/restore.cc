// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See restore.h.
#include "session/restore.h"

#include "session/frames.h"

namespace accp::session {

Status Restore::snapshot(uint64_t &bytes) {
    bytes = 0;
    if (!from_.store.row().version) return {};
    Snapshot snapshot;
    Status status = from_.store.state(scratch_.log.found);
    if (status.ok()) status = core_.restore(found(), scratch_, snapshot);
    bytes = found().size();
    place_ = snapshot.place;
    if (status.ok()) status = agents();
    if (status.ok() && snapshot.state_version) status = state(snapshot.state_version);
    return status.ok() && snapshot.has_pending ? pending() : status;
}

// Reads a blob that the snapshot names. `lost`: what to say where it is missing.
Status Restore::blob(std::string_view key, const char *lost) {
    Status status = from_.store.blob(store::Tier::kWarm, key, 0, scratch_.log.found);
    return status.code == ACCP_E2001 ? fail(ACCP_ERR_CORRUPT, 0, lost) : status;
}

// A session that was kept before it had an agent of its own has no such blob.
Status Restore::agents() {
    Status status = from_.store.blob(store::Tier::kWarm, kAgentsKey, 0, scratch_.log.found);
    if (status.code == ACCP_E2001) return {};
    return status.ok() ? core_.own_agents.restore(found()) : status;
}

Status Restore::state(int64_t version) {
    Status status = blob(kStateKey, "the shared state is not there");
    if (status.ok()) core_.state.restore(version, found());
    return status;
}

Status Restore::pending() {
    Pending &pending = core_.pending;
    Status status = blob(kPendingKey, "what the session has open is not there");
    if (status.ok()) status = pending.read(found());
    for (size_t i = 0; status.ok() && i < pending.part_records.size(); ++i) {
        const uint64_t place = pending.part_records[i];
        Record record;
        status = read_record(from_.store, place, scratch_.log.records, scratch_.log.found, record);
        if (status.ok()) status = core_.restore_part(record, place, scratch_);
    }
    if (status.ok()) pending.part_records.recycle(0);
    return status;
}

Status Restore::records(uint64_t &bytes) {
    store::StoreRecords &scanned = scratch_.log.records;
    for (uint64_t from = place_ + 1; from <= from_.store.row().last;) {
        Status status = from_.store.scan(from, 0, false, kScanBytes, scanned);
        if (status.failed()) return status;
        if (!scanned.size() || scanned[0].seq != from)
            return fail(ACCP_ERR_CORRUPT, 0, "records are missing");
        for (size_t i = 0; status.ok() && i < scanned.size(); ++i) {
            bytes += scanned[i].bytes.size();
            status = apply(scanned[i]);
        }
        if (status.failed()) return status;
        from = scanned[scanned.size() - 1].seq + 1;
    }
    return {};
}

Status Restore::apply(const store::StoreRecords::Record &stored) {
    Record record;
    if (!read_record(stored.bytes, record))
        return fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
    message::Message message;
    ReadAsWritten as(scratch_.codec);
    Status status = read(record, as, stored.seq, message);
    if (status.code < 0) return status;  // memory, or the host's cold store, and no damage
    if (status.failed()) return fail(ACCP_ERR_CORRUPT, 0, "a record whose message cannot be read");
    Effects effects = {.scratch = scratch_, .restores = true};
    return core_.apply(record, stored.seq, &message, effects);
}

// The message of a record, where it has one.
Status Restore::read(const Record &record, ReadAsWritten &as, uint64_t place,
                     message::Message &out) {
    if (record.kind == RecordKind::kMessage) return read_message(record.text, scratch_, out);
    if (!record.has_json()) return {};
    if (!record.json.empty()) return read_message(record.json, scratch_, out);
    Status status = as.begin(from_.store, from_.written, place, scratch_);
    if (status.ok()) status = scratch_.codec.parse(record.text);
    if (status.failed()) return status;
    FrameRefs refs(from_, rules_, core_.next_key, scratch_, static_cast<int64_t>(record.time_ms),
                   Owner::kRecord);
    return decode(refs, record.untrusted, false, scratch_, out);
}

}  // namespace accp::session
