// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/driver.h"

#include <new>

#include "base/utf8.h"
#include "session/core.h"
#include "session/frame_refs.h"
#include "session/frames.h"

namespace accp::session {

namespace {

// Restores a new core from the store: first the snapshot, then the records after it.
// ACCP_ERR_CORRUPT: the data cannot be read; ACCP_ERR_ARG: the session was written under other
// rules. A status above 0 also means damage.
class Restore {
public:
    Restore(const RefSource &from, const SessionRules &rules, Core &core, Scratch &scratch)
        : from_(from), rules_(rules), core_(core), scratch_(scratch) {}

    // `bytes`: its size; 0: there is no snapshot.
    Status snapshot(uint64_t &bytes);
    // Applies the records after it and adds their size to `bytes`.
    Status records(uint64_t &bytes);

private:
    Status agents();
    Status state(int64_t version);
    Status pending();
    Status blob(std::string_view key, const char *lost);
    Status apply(const store::StoreRecords::Record &stored);
    Status read(const Record &record, RecordRegistryScope &as, uint64_t number,
                message::Message &out);
    std::string_view found() const { return scratch_.log.found.view(); }

    const RefSource from_;
    const SessionRules &rules_;
    Core &core_;
    Scratch &scratch_;
    uint64_t snapshot_record_ = 0;  // the last record that the snapshot includes
};

Status Restore::snapshot(uint64_t &bytes) {
    bytes = 0;
    if (!from_.store.row().version) return {};
    Snapshot snapshot;
    Status status = from_.store.state(scratch_.log.found);
    if (status.ok()) status = core_.restore(found(), scratch_, snapshot);
    if (snapshot.is_older) return {};  // the records are applied from the first on
    bytes = found().size();
    snapshot_record_ = snapshot.record;
    if (status.ok()) status = agents();
    if (status.ok() && snapshot.state_version) status = state(snapshot.state_version);
    return status.ok() && snapshot.has_pending ? pending() : status;
}

// Reads a blob that the snapshot refers to. `lost`: the error message if it is missing.
Status Restore::blob(std::string_view key, const char *lost) {
    Status status = from_.store.blob(store::Tier::kWarm, key, 0, scratch_.log.found);
    return status.code == ACCP_E2001 ? fail(ACCP_ERR_CORRUPT, 0, lost) : status;
}

// The blob is missing in a session whose snapshot is older than its first own agent.
Status Restore::agents() {
    Status status = from_.store.blob(store::Tier::kWarm, kAgentsKey, 0, scratch_.log.found);
    if (status.code == ACCP_E2001) return {};
    return status.ok() ? core_.own_agents.restore(found()) : status;
}

Status Restore::state(int64_t version) {
    Status status = blob(kStateKey, "the session's shared state is missing in the store");
    if (status.ok()) core_.state.restore(version, found());
    return status;
}

Status Restore::pending() {
    Pending &pending = core_.pending;
    Status status =
        blob(kPendingKey, "the session's blob of open requests is missing in the store");
    if (status.ok()) status = pending.read(found());
    for (size_t i = 0; status.ok() && i < pending.part_records.size(); ++i) {
        const uint64_t number = pending.part_records[i];
        Record record;
        status = read_record(from_.store, number, scratch_.log.records, scratch_.log.found, record);
        if (status.ok()) status = core_.restore_part(record, number, scratch_);
    }
    if (status.ok()) pending.part_records.recycle(0);
    return status;
}

Status Restore::records(uint64_t &bytes) {
    store::StoreRecords &scanned = scratch_.log.records;
    for (uint64_t from = snapshot_record_ + 1; from <= from_.store.row().last;) {
        Status status = from_.store.scan(from, 0, false, kScanBytes, scanned);
        if (status.failed()) return status;
        if (!scanned.size() || scanned[0].seq != from)
            return fail(ACCP_ERR_CORRUPT, 0, "records of the session are missing in the store");
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
        return fail(ACCP_ERR_CORRUPT, 0, "a record in the log is damaged");
    message::Message message;
    RecordRegistryScope as(scratch_.codec);
    Status status = read(record, as, stored.seq, message);
    if (status.code < 0)
        return status;  // memory or the host's cold store failed; this is not damage
    if (status.failed())
        return fail(ACCP_ERR_CORRUPT, 0,
                    "a record in the log is damaged: its message cannot be read");
    Effects effects = {.scratch = scratch_, .restores = true};
    return core_.apply(record, stored.seq, &message, effects);
}

// Reads the message of a record, if it has one.
Status Restore::read(const Record &record, RecordRegistryScope &as, uint64_t number,
                     message::Message &out) {
    if (record.kind == RecordKind::kMessage) return read_message(record.text, scratch_, out);
    if (!record.has_json()) return {};
    if (!record.json.empty()) return read_message(record.json, scratch_, out);
    Status status = as.begin(from_.store, from_.written, number, scratch_);
    if (status.ok()) status = scratch_.codec.parse(record.text);
    if (status.failed()) return status;
    FrameRefs refs(from_, rules_, core_.next_key, scratch_, static_cast<int64_t>(record.time_ms),
                   FrameOrigin::kRecord);
    return decode(refs, record.untrusted, false, scratch_, out);
}

}  // namespace

namespace {

// Only for new sessions: ids are shown, logged and written as JSON. An existing session may have
// another id.
constexpr const char *kNoId = "a session id must be UTF-8 text";
bool is_new_id(std::string_view id) { return valid_utf8_prefix(id.data(), id.size()) == id.size(); }

}  // namespace

Status Driver::open(store::Store &store, std::string_view id, bool writes, Scratch &scratch) {
    if (!rules.context.valid())
        return fail(
            ACCP_ERR_ARG, 0,
            "the context rules contradict each other: rule summary_max, rule checkpoint_max, rule "
            "hot_due and rule hot_max are each at most the next; rule newest_max is from 200 to "
            "rule hot_due less 16; rule price_cached is at most rule price_write");
    id_.reserve_exact(id.size());
    id_.append(id);
    whole_store_ = &store;
    writes_ = writes;
    Status status = writes ? check_restorable(store, scratch) : Status{};
    if (status.ok()) status = store.open_session(id, writes, store_);
    if (status.ok()) status = reload(scratch);
    return status.code == ACCP_ERR_CLOSED && !writes ? fail(ACCP_E2001, 0, "the session was erased")
                                                     : status;
}

// Checks that the session can be restored, before an older writer loses its right to write.
Status Driver::check_restorable(store::Store &store, Scratch &scratch) {
    Status status = store.open_session(id(), false, store_);
    if (status.code == ACCP_E2001) return is_new_id(id()) ? Status{} : fail(ACCP_ERR_ARG, 0, kNoId);
    if (status.failed()) return status;
    status = restore_core(scratch, false);
    close();
    return status.code == ACCP_ERR_CLOSED ? Status{} : status;  // it was erased in the meantime
}

Status Driver::reload(Scratch &scratch) {
    stale_ = true;
    Status status = restore_core(scratch, true);
    stale_ = status.failed();
    return status;
}

// Restores the snapshot, and with `records` the records after it. Another process may be writing
// the session: if it changed in the meantime, everything is read again.
Status Driver::restore_core(Scratch &scratch, bool records) {
    constexpr int kTries = 16;
    scratch.refs.kept.clear();
    for (int i = 0; i < kTries; ++i) {
        make_core(scratch);
        Restore restore(ref_source(), rules, *core_, scratch);
        Status status = registry_marks.load(*store_, scratch);
        if (status.ok()) status = restore.snapshot(snapshot_bytes_);
        if (status.ok() && records) status = restore.records(unsaved_);
        // the stored data differs from what was written
        if (status.code > 0) status = fail(ACCP_ERR_CORRUPT, 0, status.message);
        if (status.failed() && status.code != ACCP_ERR_CORRUPT) return status;
        bool moved = false;
        Status ownership = store_->follow(moved);
        if (ownership.failed()) return ownership;
        if (!moved) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, "another process is writing the session: try again");
}

// The old core is kept until the new one exists, so that getters work at any time.
void Driver::make_core(Scratch &scratch) {
    struct Allocation {
        Memory &memory;
        void *held;
        ~Allocation() { memory.release(held, sizeof(Core)); }
    } room = {memory_, memory_.allocate(sizeof(Core))};
    Core *made = new (room.held) Core(memory_, rules, hooks, inbox, scratch);
    room.held = nullptr;
    end_core();
    inbox.forget_senders();
    unsaved_ = 0;
    core_ = made;
}

void Driver::end_core() {
    if (!core_) return;
    core_->~Core();
    memory_.release(core_, sizeof(Core));
    core_ = nullptr;
}

}  // namespace accp::session
