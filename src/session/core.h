// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session is in memory: what its records make of it, applied one by one. The core holds no
// store and no clock: a record brings its place and its time, and what is to become durable beside
// the record goes into a batch. The same records make the same core, whoever applies them: a call
// that has just made one, or opening the session.
#pragma once

#include "context/context.h"
#include "delivery/causes.h"
#include "session/pending.h"
#include "session/record.h"
#include "session/rules.h"
#include "session/scratch.h"
#include "session/snapshot.h"

namespace accp::session {

// What applying records does outside the core. Requests that expire go to scratch.log.expired,
// packed: the number of the record, the cid.
struct Effects {
    Scratch &scratch;           // its batch takes what the store is to have
    bool restores = false;      // the records come from the store: nothing is written or told again
    bool checkpointed = false;  // a checkpoint was made
};

class Core {
public:
    // `inbox`: frames that wait stay in it from one core to the next.
    Core(Memory &memory, const SessionRules &rules, const SessionHooks &hooks,
         delivery::Inbox &inbox, Scratch &scratch);
    Core(const Core &) = delete;
    Core &operator=(const Core &) = delete;

    // One to be filled in, and applied next.
    Record new_record(RecordKind kind, int64_t now_ms) const {
        Record record;
        record.kind = kind;
        record.time_ms = static_cast<uint64_t>(now_ms);
        record.next_key = next_key;
        return record;
    }
    // `message`: of a record that has one. Where it fails, the core is of no use any more.
    Status apply(const Record &record, uint64_t place, const message::Message *message,
                 Effects &effects);
    // Checks a cancel's chain and a change of the shared state as apply() does; changes nothing.
    Status check(const message::Message &message, Scratch &scratch);

    // Puts the snapshot after record `place`, and the blobs that changed, into the batch. Returns
    // how many bytes it has.
    size_t save(uint64_t place, Scratch &scratch);
    // What save() wrote as the snapshot; its blobs are restored one by one.
    Status restore(std::string_view bytes, const Scratch &scratch, Snapshot &out);
    // A part that a snapshot was made with: a record of it.
    Status restore_part(const Record &record, uint64_t place, Scratch &scratch);

    // A frame that was taken, whose chain may be cancelled later.
    void note_cause(const accp_envelope &envelope, uint64_t place);

    bool is_own_agent(std::string_view agent) const {
        return own_agents.has(agent) || (hooks_.agents && hooks_.agents->own.has(agent));
    }
    size_t text_bytes() const { return context.text_bytes() + state.json().size(); }

    context::Context context;
    SharedState state;
    Pending pending;
    delivery::Causes causes;
    NameSet own_agents;  // that frames went out as
    uint64_t next_key = 1;
    bool ended = false;

private:
    Status apply_message(const Record &record, uint64_t place, const message::Message &message,
                         Effects &effects);
    Status apply_state(const Record &record, const message::Message &message,
                       const Effects &effects);
    Status apply_pending(const Record &record, uint64_t place, const message::Message &message);
    Status apply_frame(const Record &record, uint64_t place, Scratch &scratch);
    void expire_until(int64_t now_ms, const Effects &effects);
    void put_blobs(Scratch &scratch);
    static bool on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                             void *user);
    static void on_checkpoint(const context::CheckpointView &checkpoint, void *user);

    const SessionRules &rules_;
    const SessionHooks &hooks_;
    delivery::Inbox &inbox_;
    Effects *effects_ = nullptr;  // while apply() runs, for what the context calls
    // the store has these as they are
    bool own_agents_kept_ = true;
    bool state_kept_ = true;
    bool has_pending_ = false;  // the store has a blob of it
};

}  // namespace accp::session
