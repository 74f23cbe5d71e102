// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session in memory: the result of applying its records one by one. The core has no store and no
// clock: a record has its own number and time, and data to be stored goes into a batch. The same
// records always give the same core, whether a call has just created them or the session is being
// opened.
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

// The open work of a session, in addition to its context and state. It is stored in a blob of its
// own, which is written with a snapshot if it has changed. A snapshot stays small this way.
//
//   pending  = number *chain number *request *part
//   chain    = cid agent flags      a cancelled chain, and the agent that cancelled it
//   flags    = number               1: cancelled by the host; 2: acknowledged; 3: both
//   request  = cid deadline timeout record
//                                   a request of the host that waits
//   deadline = number               milliseconds since the epoch
//   timeout  = number               milliseconds
//   record   = number               of the request
//   part     = number               the record of a part of a message
//   cid      = string
//   agent    = string
//
// Numbers and strings are those of a record (record.h).

// A bit in the tag of a part (the number of its record): the part is untrusted, as in its record.
constexpr uint64_t kUntrustedTag = uint64_t{1} << 63;

struct Pending {
    explicit Pending(Memory &memory)
        : chains(memory), requests(memory), parts(memory), part_records(memory) {}

    delivery::CancelledChains chains;
    delivery::Deadlines requests;     // of the host; they wait for an answer
    delivery::PartialMessages parts;  // received parts, by their records
    bool is_saved = true;             // the store has the current content

    Buffer<uint64_t>
        part_records;  // filled by read(): the records of parts, whose texts are in the log

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

    static constexpr const char *kNotKept = "the session's blob of open requests is damaged";

    // Reads the stored form into an empty Pending. Returns ACCP_ERR_CORRUPT for other bytes.
    Status read(std::string_view bytes) {
        Unpacker unpacker(bytes);
        if (!chains.restore(unpacker)) return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        for (uint64_t left = unpacker.number(); left && unpacker.ok(); --left) {
            std::string_view cid = unpacker.text();
            delivery::Deadlines::Request request = {to_text(cid), 0, 0, 0};
            request.deadline = static_cast<int64_t>(unpacker.number());
            request.timeout_ms = static_cast<int64_t>(unpacker.number());
            request.record = unpacker.number();
            const bool is_valid = request.deadline >= 0 && request.timeout_ms >= 0 &&
                                  request.record && request.record <= kMaxRecords;
            if (unpacker.ok() && (!is_valid || requests.start(request).failed()))
                return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        }
        while (unpacker.ok() && !unpacker.rest().empty()) part_records.push(unpacker.number());
        return unpacker.ok() ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kNotKept);
    }
};

// The effects of applying records outside the core. Expired requests go to scratch.log.expired,
// packed: the number of the record, then the cid.
struct Effects {
    Scratch &scratch;           // its batch receives what is to be stored
    bool restores = false;      // the records come from the store, so nothing is written or logged
    bool checkpointed = false;  // a checkpoint was created
};

class Core {
public:
    // `inbox` keeps the frames that wait when a core replaces another.
    Core(Memory &memory, const SessionRules &rules, const SessionHooks &hooks,
         delivery::Inbox &inbox, Scratch &scratch);
    Core(const Core &) = delete;
    Core &operator=(const Core &) = delete;

    // Creates a record for the caller to fill in and apply next.
    Record new_record(RecordKind kind, int64_t now_ms) const {
        Record record;
        record.kind = kind;
        record.time_ms = static_cast<uint64_t>(now_ms);
        record.next_key = next_key;
        return record;
    }
    // Applies a record. `message`: the message of the record, if it has one. If this fails, the
    // core must not be used any more.
    Status apply(const Record &record, uint64_t number, const message::Message *message,
                 Effects &effects);
    // Checks a cancel's chain or a change of the shared state as apply() does, without changing
    // anything.
    Status check(const message::Message &message, Scratch &scratch);

    // Adds the snapshot after record `number`, and the changed blobs, to the batch. Returns the
    // size of the snapshot in bytes.
    size_t save(uint64_t number, Scratch &scratch);
    // Restores what save() wrote as the snapshot. Its blobs are restored separately.
    Status restore(std::string_view bytes, const Scratch &scratch, Snapshot &out);
    // Restores a part that is listed in a snapshot, from its record.
    Status restore_part(const Record &record, uint64_t number, Scratch &scratch);

    // Notes an accepted frame, so that it can be found if its chain is cancelled later.
    void add_cause(const accp_envelope &envelope, uint64_t number);

    bool is_own_agent(std::string_view agent) const {
        return own_agents.has(agent) || (hooks_.agents && hooks_.agents->own.has(agent));
    }
    size_t text_bytes() const { return context.text_bytes() + state.json().size(); }

    context::Context context;
    SharedState state;
    Pending pending;
    delivery::CauseIndex causes;
    NameSet own_agents;  // agents under whose names frames were sent
    uint64_t next_key = 1;
    bool ended = false;

private:
    Status apply_message(const Record &record, uint64_t number, const message::Message &message,
                         Effects &effects);
    Status apply_state(const Record &record, const message::Message &message,
                       const Effects &effects);
    Status apply_pending(const Record &record, uint64_t number, const message::Message &message);
    Status apply_frame(const Record &record, uint64_t number, Scratch &scratch);
    void expire_until(int64_t now_ms, const Effects &effects);
    void put_blobs(Scratch &scratch);
    static bool on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                             void *user);
    static void on_checkpoint(const context::CheckpointView &checkpoint, void *user);

    const SessionRules &rules_;
    const SessionHooks &hooks_;
    delivery::Inbox &inbox_;
    Effects *effects_ = nullptr;  // set while apply() runs, for callbacks of the context
    // the store has the current content
    bool own_agents_saved_ = true;
    bool state_saved_ = true;
    bool has_pending_ = false;  // the store has a blob for it
};

}  // namespace accp::session
