// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The start and end of calls, and commits.
#include "session/driver.h"

#include <algorithm>

#include "session/frames.h"

namespace accp::session {

namespace {

// Returns the oldest checkpoint that the context still refers to, or 0. The store must keep it, so
// that the ref can be resolved.
uint64_t oldest_referenced_checkpoint(const context::ContextState &state) {
    uint64_t oldest = 0;
    for (size_t i = state.pinned; i < state.open; ++i) {
        const uint64_t id = state.units[i].checkpoint;
        if (id && (!oldest || id < oldest)) oldest = id;
    }
    return oldest;
}

}  // namespace

Driver::Driver(Memory &memory, const SessionRules &rules_of, const SessionHooks &hooks_of)
    : rules(rules_of),
      hooks(hooks_of),
      inbox(memory, rules_of.inbox),
      registry_marks(memory),
      memory_(memory),
      id_(memory) {}

Driver::~Driver() { close(); }

void Driver::close() {
    end_core();
    if (store_) store_->close();
    store_ = nullptr;
}

// Checks the store after ERR_CORRUPT. Without the rule durable it also does so after a refusal of a
// frame (E2xxx, E3xxx), because the cached state may be stale. Returns ERR_CLOSED if this handle no
// longer owns the session. Any other error of the check replaces only a refusal, and only if the
// call has stored nothing.
Status Driver::check_owner(const Status &status) {
    const bool remembers = !rules.durable && status.code >= ACCP_E2001 && status.code < ACCP_E4001;
    if ((status.code != ACCP_ERR_CORRUPT && !remembers) || !store_) return status;
    Status ownership = store_->check();
    const bool unknown = remembers && ownership.failed() && commits_ == commits_before_;
    return ownership.code == ACCP_ERR_CLOSED || unknown ? ownership : status;
}

Status Driver::prepare_read(Scratch &scratch) { return check_current(scratch, true); }

// If sync() decides durability, it also checks that this handle still owns the session.
Status Driver::prepare_write(Scratch &scratch) {
    commits_before_ = commits_;
    Status status = check_current(scratch, rules.durable);
    if (status.failed()) return status;
    if (!writes_) return fail(ACCP_ERR_ARG, 0, "the session was opened only for reading");
    if (core_->ended) return fail(ACCP_ERR_CLOSED, 0, "the session has ended");
    scratch.log.batch.clear();
    scratch.refs.kept.clear();
    return {};
}

// `checks_owner`: also check that this handle still owns the session.
Status Driver::check_current(Scratch &scratch, bool checks_owner) {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    Status status = checks_owner ? store_->check() : Status{};
    if (status.ok() && stale_) status = reload(scratch);
    if (status.ok()) core_->context.set_scratch(scratch.context);
    return status.ok() && rules.pins_registry ? use_registry(scratch) : status;
}

// Makes the rest of the call use the registry that the session was last written under.
Status Driver::use_registry(Scratch &scratch) {
    const std::string_view hash = registry_marks.newest();
    if (hash.empty() || hash == scratch.registry().hash().view()) return {};
    const bool found = pinned_ && pinned_->hash().view() == hash;
    Status status = found ? Status{} : session::find_registry(*store_, hash, scratch, pinned_);
    if (status.ok()) scratch.set_registry(*pinned_);
    return status;
}

Status Driver::find_registry(uint64_t record, Scratch &scratch, registry::RegistryRef &out) {
    Status status = prepare_read(scratch);
    if (status.failed()) return status;
    if (record > last_record()) return unknown_ref();
    const std::string_view hash = record                ? registry_marks.mark_of(record).hash
                                  : rules.pins_registry ? registry_marks.newest()
                                                        : std::string_view();
    return hash.empty() ? Status{} : session::find_registry(*store_, hash, scratch, out);
}

Status Driver::append_record(const Record &record, const delivery::Arrival *frame, Scratch &scratch,
                             const message::Message *message) {
    Effects effects = {scratch};
    const uint64_t number = last_record() + 1;
    Status status = add_record(record, frame, number, effects, message);
    return status.ok() ? commit_records(number, effects) : status;
}

Status Driver::add_record(const Record &record, const delivery::Arrival *frame, uint64_t number,
                          Effects &effects, const message::Message *message) {
    LogScratch &log = effects.scratch.log;
    log.out.clear();
    write_record(record, log.out);
    log.batch.append(log.out.view());
    unsaved_ += log.out.size();
    if (frame) log.batch.note_mid_word(frame->mid_word ? frame->mid_word : mid_word_of(*frame));
    stale_ = true;
    if (record.has_json() || record.is_part())
        registry_marks.note(number, effects.scratch.codec.setup, log.batch);
    if (frame) core_->add_cause(frame->envelope, number);
    Status status = core_->apply(record, number, message, effects);
    if (status.failed()) log.batch.clear();
    return status;
}

// Decides whether to write a snapshot. The first checkpoint needs one, because it records the rules
// of the session. Later ones are rare: replaying some records at open is cheaper than writing a
// large snapshot often. But if the host wrote the summary, a snapshot is written each time, so that
// the host is not called again.
bool Driver::snapshot_is_due(const Effects &effects) const {
    return effects.checkpointed &&
           (hooks.summarise || !store_->row().version ||
            unsaved_ >= std::max<uint64_t>(kSnapshotBytes, snapshot_bytes_ / 2));
}

Status Driver::commit_records(uint64_t number, Effects &effects) {
    store::StoreBatch &batch = effects.scratch.log.batch;
    if (effects.checkpointed) batch.set_floor(oldest_referenced_checkpoint(core_->context.state()));
    if (snapshot_is_due(effects)) {
        snapshot_bytes_ = core_->save(number, effects.scratch);
        unsaved_ = 0;
    }
    Status status = store_->commit(batch);
    batch.clear();
    if (status.failed()) return status;
    stale_ = false;
    unsynced_ = true;
    ++commits_;
    return {};
}

Status Driver::commit_batch(Scratch &scratch) {
    Status status = store_->commit(scratch.log.batch);
    scratch.log.batch.clear();
    if (status.failed()) return status;
    unsynced_ = true;
    ++commits_;
    return finish({});
}

Status Driver::finish(const Status &status) {
    if (!rules.durable || commits_ == commits_before_) return status;
    Status safe = sync();
    return status.code < 0 || safe.ok() ? status : safe;
}

Status Driver::sync() {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    if (!unsynced_) return store_->check();
    Status status = store_->sync();
    if (status.ok()) unsynced_ = false;
    return status;
}

}  // namespace accp::session
