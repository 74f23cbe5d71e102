// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The store side of a session: opens it, starts and ends every call, and commits what the core has
// applied.
//
// A call checks first, then applies to memory, then commits to the store. If the commit fails,
// memory is ahead of the store: the session is stale, and the next call first restores it from the
// store. Memory and store therefore differ at most until the end of a call, and a call that fails
// in the store changes nothing.
#pragma once

#include "session/core.h"
#include "session/frame_refs.h"

namespace accp::session {

class Driver final : public delivery::SeenMids {
public:
    Driver(Memory &memory, const SessionRules &rules, const SessionHooks &hooks);
    ~Driver();
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;

    Status open(store::Store &store, std::string_view id, bool writes, Scratch &scratch);
    void close();
    // Makes everything so far durable.
    Status sync();
    // Returns the status of a call, or ACCP_ERR_CLOSED if the call failed because another writer
    // owns the session now. Checks this only after ERR_CORRUPT, and without the rule durable also
    // after a refusal of a frame.
    Status check_owner(const Status &status);
    bool is_open() const { return store_; }
    // Returns whether memory is ahead of the store because a call failed halfway. refresh() then
    // restores it from the store.
    bool is_stale() const { return stale_ && store_; }
    Status refresh(Scratch &scratch) { return stale_ ? reload(scratch) : Status{}; }

    // Starts a call that reads. ACCP_ERR_CLOSED: the session is closed, or another writer owns it.
    Status prepare_read(Scratch &scratch);
    // Starts a call that changes the session. ACCP_ERR_CLOSED: the session is closed or ended, or
    // another writer owns it (without the rule durable sync() reports that). ACCP_ERR_ARG: opened
    // to read.
    Status prepare_write(Scratch &scratch);

    // Applies one record to memory and commits it. `frame`: its mid is marked as used; nullptr: no
    // mid. `message`: the message of the record, if it has one.
    Status append_record(const Record &record, const delivery::Arrival *frame, Scratch &scratch,
                         const message::Message *message = nullptr);
    // The same for several records. Call add_record() for each, then commit_records() with the
    // number of the last.
    Status add_record(const Record &record, const delivery::Arrival *frame, uint64_t number,
                      Effects &effects, const message::Message *message);
    Status commit_records(uint64_t number, Effects &effects);
    // Finds the registry of a record, or of the next frame if `record` is 0. `out` is empty if it
    // is the registry of the scratch.
    Status find_registry(uint64_t record, Scratch &scratch, registry::RegistryRef &out);
    // Commits a batch that does not change memory.
    Status commit_batch(Scratch &scratch);
    // Ends a call. With the rule durable, makes the changes durable, even if `status` is a refusal:
    // frames that waited may have been accepted before it. Returns the status of the call.
    Status finish(const Status &status);

    // delivery::SeenMids
    Status contains(const delivery::Arrival &frame, bool &seen) override {
        return store_->has_mid_word(frame.mid_word, seen);
    }

    store::StoreSession &store() const { return *store_; }
    store::Store &whole_store() const { return *whole_store_; }
    Core &core() const { return *core_; }
    FrameRefs refs(Scratch &scratch, int64_t now_ms, FrameOrigin origin) const {
        return {ref_source(), rules, core_->next_key, scratch, now_ms, origin};
    }
    RefSource ref_source() const {
        return {*store_, registry_marks, &core_->state, rules.cold_store};
    }
    uint64_t last_record() const { return store_->row().last; }
    // The number of commits of this handle, durable or not.
    uint64_t commits() const { return commits_; }
    // The same without those of waiting frames that a call applied before its own change.
    uint64_t own_commits() const { return commits_ - early_commits_; }
    // The commits during its life are not the call's own.
    class EarlyCommits {
    public:
        explicit EarlyCommits(Driver &driver) : driver_(driver), before_(driver.commits_) {}
        ~EarlyCommits() { driver_.early_commits_ += driver_.commits_ - before_; }
        EarlyCommits(const EarlyCommits &) = delete;
        EarlyCommits &operator=(const EarlyCommits &) = delete;

    private:
        Driver &driver_;
        const uint64_t before_;
    };
    bool writes() const { return writes_; }
    // Both sides accept messages in parts.
    bool takes_parts() const { return rules.parts || local; }
    std::string_view id() const { return id_.view(); }

    const SessionRules rules;
    const SessionHooks hooks;
    delivery::Inbox inbox;
    RegistryMarks registry_marks;
    bool local = false;  // the other side is a session of the same engine

private:
    Status check_restorable(store::Store &store, Scratch &scratch);
    Status check_current(Scratch &scratch, bool checks_owner);
    Status restore_core(Scratch &scratch, bool records);
    Status use_registry(Scratch &scratch);
    Status reload(Scratch &scratch);
    void make_core(Scratch &scratch);
    void end_core();
    bool snapshot_is_due(const Effects &effects) const;

    Memory &memory_;
    Buffer<char> id_;
    store::StoreSession *store_ = nullptr;
    store::Store *whole_store_ = nullptr;  // the store that contains the session
    Core *core_ = nullptr;
    uint64_t unsaved_ = 0;  // bytes of the records after the snapshot
    uint64_t snapshot_bytes_ = 0;
    uint64_t commits_ = 0;
    uint64_t commits_before_ = 0;  // commits_ when the call started
    uint64_t early_commits_ = 0;
    registry::RegistryRef
        pinned_;  // with the rule pins_registry; empty: the registry of the engine
    bool writes_ = true;
    bool stale_ = false;  // memory is ahead of the store
    bool unsynced_ = false;
};

}  // namespace accp::session
