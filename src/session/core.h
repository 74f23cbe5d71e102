// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session is in memory: what its records make of it, applied one by one. The core holds no
// store and no clock: a record brings its place and its time, and what is to become durable beside
// the record goes into a batch. The same records make the same core, whoever applies them: a call
// that has just made one, or opening the session.
#pragma once

#include "base/pack.h"
#include "base/text.h"
#include "context/context.h"
#include "delivery/chains.h"
#include "delivery/deadlines.h"
#include "delivery/parts.h"
#include "session/record.h"
#include "session/rules.h"
#include "session/scratch.h"
#include "session/snapshot.h"

namespace accp::session {

// What a session has open, beside its context and its state. It is kept in a blob of its own,
// written with a snapshot where it changed: a snapshot is small, and there are many.
//
//   pending  = number *chain number *request *part
//   chain    = cid agent flags      that was cancelled, and by whom
//   flags    = number               1: by us; 2: it is done; 3: both
//   request  = cid deadline timeout record
//                                   of ours that waits
//   deadline = number               milliseconds since the epoch
//   timeout  = number               milliseconds
//   record   = number               of the request
//   part     = number               the record of a part of a message
//   cid      = string
//   agent    = string
//
// Numbers and strings are those of a record (record.h).

// In the tag of a part, which is the number of its record: it is data from outside, as its record
// says too.
constexpr uint64_t kUntrustedTag = uint64_t{1} << 63;

struct Pending {
    explicit Pending(Memory &memory)
        : chains(memory), requests(memory), parts(memory), part_records(memory) {}

    delivery::CancelledChains chains;
    delivery::Deadlines requests;     // of ours, that wait for their answer
    delivery::PartialMessages parts;  // that came in, by their records
    bool is_saved = true;             // the store has it as it is

    Buffer<uint64_t> part_records;  // what read() found of parts: their texts are in the log

    void write(Buffer<char> &out) const {
        Packer packer(out);
        chains.save(packer);
        packer.number(requests.waiting());
        for (uint32_t i = 0; i < requests.waiting(); ++i) {
            const delivery::Deadlines::Request &request = requests[i];
            packer.text({request.cid.text, request.cid.len});
            for (int64_t n :
                 {request.deadline, request.timeout_ms, static_cast<int64_t>(request.record)})
                packer.number(static_cast<uint64_t>(n));
        }
        parts.each_tag([&](uint64_t record) { packer.number(record & ~kUntrustedTag); });
    }

    delivery::CauseIndex::Cause cause_of(const accp_envelope &envelope, uint64_t record) const {
        return {record, chains.hash(to_view(envelope.mid)), chains.hash(to_view(envelope.cid)),
                chains.hash(to_view(envelope.aid)), 0};
    }

    void abandon(std::string_view cid) {
        if (!parts.holds(cid)) return;
        parts.abandon(cid);
        is_saved = false;
    }

    static constexpr const char *kNotKept = "what the session has open is not what was kept";

    // Into one that is empty. ACCP_ERR_CORRUPT for what write() did not write.
    Status read(std::string_view bytes) {
        Unpacker unpacker(bytes);
        if (!chains.restore(unpacker)) return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        for (uint64_t left = unpacker.number(); left && unpacker.ok(); --left) {
            std::string_view cid = unpacker.text();
            delivery::Deadlines::Request request = {to_text(cid), 0, 0, 0};
            request.deadline = static_cast<int64_t>(unpacker.number());
            request.timeout_ms = static_cast<int64_t>(unpacker.number());
            request.record = unpacker.number();
            if (unpacker.ok() && requests.start(request).failed())
                return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        }
        while (unpacker.ok() && !unpacker.rest().empty()) part_records.push(unpacker.number());
        return unpacker.ok() ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kNotKept);
    }
};

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
    void add_cause(const accp_envelope &envelope, uint64_t place);

    bool is_own_agent(std::string_view agent) const {
        return own_agents.has(agent) || (hooks_.agents && hooks_.agents->own.has(agent));
    }
    size_t text_bytes() const { return context.text_bytes() + state.json().size(); }

    context::Context context;
    SharedState state;
    Pending pending;
    delivery::CauseIndex causes;
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
    bool own_agents_saved_ = true;
    bool state_saved_ = true;
    bool has_pending_ = false;  // the store has a blob of it
};

}  // namespace accp::session
