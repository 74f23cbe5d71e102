// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The store's side of a session: it opens one, begins and ends every call, and commits what the
// core has applied.
//
// What a call does, it does in this order: look (nothing has changed), apply to memory, commit to
// the store. Where the commit fails, memory is ahead of the store: the session then is stale, and
// is made anew from the store before its next call does anything. So the two never differ for
// longer than a call, and a call that fails in the store has changed nothing.
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

    // See Session::open().
    Status open(store::Store &store, std::string_view id, bool writes, Scratch &scratch);
    void close();
    // Everything so far is durable when this returns.
    Status sync();
    // What a call answers: damage, and without the rule durable a refusal, is ACCP_ERR_CLOSED where
    // another writer has the session by now.
    Status check_owner(const Status &status);
    bool is_open() const { return store_; }
    // Is memory ahead of the store, because a call failed halfway? refresh() makes it what the
    // store says.
    bool is_stale() const { return stale_ && store_; }
    Status refresh(Scratch &scratch) { return stale_ ? reload(scratch) : Status{}; }

    // Begins a call that reads. ACCP_ERR_CLOSED: closed, or another writer's by now.
    Status prepare_read(Scratch &scratch);
    // Begins a call that changes something. ACCP_ERR_CLOSED: closed, ended, or another writer's
    // (without the rule durable sync() says that); ACCP_ERR_ARG: opened to read.
    Status prepare_write(Scratch &scratch);

    // One record: memory first, then the store. `frame`: whose mid is used up with it; NULL: none
    // is. `message`: of a record that has one.
    Status append_record(const Record &record, const delivery::Arrival *frame, Scratch &scratch,
                         const message::Message *message = nullptr);
    // The same for several: each by add(), and then write(), with the place of the last.
    Status add_record(const Record &record, const delivery::Arrival *frame, uint64_t place,
                      Effects &effects, const message::Message *message);
    Status commit_records(uint64_t place, Effects &effects);
    // The registry of a record; nothing: that of the scratch. 0: of the next frame.
    Status find_registry(uint64_t record, Scratch &scratch, registry::RegistryRef &out);
    // A batch that changes nothing in memory.
    Status commit_batch(Scratch &scratch);
    // The end of a call, with its own answer: what it took is durable, where that was asked for.
    // Also where the answer is a refusal, as frames that had waited may have been taken before it.
    Status finish(const Status &status);

    // History
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
    // How many commits the store has taken of this handle: durable or not.
    uint64_t commits() const { return commits_; }
    bool writes() const { return writes_; }
    // Both sides take messages in parts.
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
    store::Store *whole_store_ = nullptr;  // the store of it
    Core *core_ = nullptr;
    uint64_t unsaved_ = 0;  // bytes of the records after the snapshot
    uint64_t snapshot_bytes_ = 0;
    uint64_t commits_ = 0;
    uint64_t commits_before_ = 0;   // taken_ when the call began
    registry::RegistryRef pinned_;  // of the rule pins_registry; nothing: the engine's
    bool writes_ = true;
    bool stale_ = false;  // memory is ahead of the store
    bool unsynced_ = false;
};

}  // namespace accp::session
