// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/driver.h"

#include <new>

#include "base/utf8.h"
#include "session/core.h"
#include "session/frame_refs.h"
#include "session/frames.h"

namespace accp::session {

namespace {

// A core out of the store: the snapshot, and then the records after it.

// Into a core that is new. ACCP_ERR_CORRUPT for what cannot be read, ACCP_ERR_ARG for a session
// that was kept under other rules; an ACCP code above 0 is damage as well.
class Restore {
public:
    Restore(const RefSource &from, const SessionRules &rules, Core &core, Scratch &scratch)
        : from_(from), rules_(rules), core_(core), scratch_(scratch) {}

    // `bytes`: how many it has; 0: there is none.
    Status snapshot(uint64_t &bytes);
    // The records after it; adds their bytes to `bytes`.
    Status records(uint64_t &bytes);

private:
    Status agents();
    Status state(int64_t version);
    Status pending();
    Status blob(std::string_view key, const char *lost);
    Status apply(const store::StoreRecords::Record &stored);
    Status read(const Record &record, RecordRegistryScope &as, uint64_t place,
                message::Message &out);
    std::string_view found() const { return scratch_.log.found.view(); }

    const RefSource from_;
    const SessionRules &rules_;
    Core &core_;
    Scratch &scratch_;
    uint64_t snapshot_record_ = 0;  // the last record that the snapshot has
};

Status Restore::snapshot(uint64_t &bytes) {
    bytes = 0;
    if (!from_.store.row().version) return {};
    Snapshot snapshot;
    Status status = from_.store.state(scratch_.log.found);
    if (status.ok()) status = core_.restore(found(), scratch_, snapshot);
    bytes = found().size();
    snapshot_record_ = snapshot.place;
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
    for (uint64_t from = snapshot_record_ + 1; from <= from_.store.row().last;) {
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
    RecordRegistryScope as(scratch_.codec);
    Status status = read(record, as, stored.seq, message);
    if (status.code < 0) return status;  // memory, or the host's cold store, and no damage
    if (status.failed()) return fail(ACCP_ERR_CORRUPT, 0, "a record whose message cannot be read");
    Effects effects = {.scratch = scratch_, .restores = true};
    return core_.apply(record, stored.seq, &message, effects);
}

// The message of a record, where it has one.
Status Restore::read(const Record &record, RecordRegistryScope &as, uint64_t place,
                     message::Message &out) {
    if (record.kind == RecordKind::kMessage) return read_message(record.text, scratch_, out);
    if (!record.has_json()) return {};
    if (!record.json.empty()) return read_message(record.json, scratch_, out);
    Status status = as.begin(from_.store, from_.written, place, scratch_);
    if (status.ok()) status = scratch_.codec.parse(record.text);
    if (status.failed()) return status;
    FrameRefs refs(from_, rules_, core_.next_key, scratch_, static_cast<int64_t>(record.time_ms),
                   FrameOrigin::kRecord);
    return decode(refs, record.untrusted, false, scratch_, out);
}

}  // namespace

// opening a session, and making its memory anew.

namespace {

// Of what is made: ids are shown, logged and written as JSON. A session that is there may have
// another.
constexpr const char *kNoId = "a session id is UTF-8 text";
bool is_new_id(std::string_view id) { return valid_utf8_prefix(id.data(), id.size()) == id.size(); }

}  // namespace

Status Driver::open(store::Store &store, std::string_view id, bool writes, Scratch &scratch) {
    if (!rules.context.valid())
        return fail(ACCP_ERR_ARG, 0,
                    "rules of contexts do not go together: rule summary_max, rule checkpoint_max, "
                    "rule hot_due and rule hot_max are each at most the next; rule newest_max is "
                    "from 200 to rule hot_due less 16; rule price_cached is at most rule "
                    "price_write");
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

// Can what was kept be restored? Asked before an older writer is shut out.
Status Driver::check_restorable(store::Store &store, Scratch &scratch) {
    Status status = store.open_session(id(), false, store_);
    if (status.code == ACCP_E2001) return is_new_id(id()) ? Status{} : fail(ACCP_ERR_ARG, 0, kNoId);
    if (status.failed()) return status;
    status = restore_core(scratch, false);
    close();
    return status.code == ACCP_ERR_CLOSED ? Status{} : status;  // erased meanwhile
}

Status Driver::reload(Scratch &scratch) {
    stale_ = true;
    Status status = restore_core(scratch, true);
    stale_ = status.failed();
    return status;
}

// The snapshot, and the records after it where `records`. Who reads may find a session while
// another writes it: what is read belongs together, or is read again.
Status Driver::restore_core(Scratch &scratch, bool records) {
    constexpr int kTries = 16;
    scratch.refs.kept.clear();
    for (int i = 0; i < kTries; ++i) {
        make_core(scratch);
        Restore restore(ref_source(), rules, *core_, scratch);
        Status status = registry_marks.load(*store_, scratch);
        if (status.ok()) status = restore.snapshot(snapshot_bytes_);
        if (status.ok() && records) status = restore.records(unsaved_);
        // of what was kept, and is not what it was
        if (status.code > 0) status = fail(ACCP_ERR_CORRUPT, 0, status.message);
        if (status.failed() && status.code != ACCP_ERR_CORRUPT) return status;
        bool moved = false;
        Status mine = store_->follow(moved);
        if (mine.failed()) return mine;
        if (!moved) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, "the session is being written");
}

// The old one stays until the new one is there: questions may be asked at any time.
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
