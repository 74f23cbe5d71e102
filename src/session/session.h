// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Records that were read in one run, for who asks for one after the other: over a far store each
// alone is a way of its own. Records never change, so what was read is given without asking again.
#pragma once

#include <algorithm>
#include <optional>

#include "accp/session.h"
#include "base/sha256.h"
#include "session/outflow.h"
#include "session/own_refs.h"
#include "store/store.h"

namespace accp::session {

// The number of messages in a session up to a record, and the chain of their hashes: history.h.
struct HistoryMark {
    uint64_t count = 0, record = 0;
    Digest chain = {};  // of these messages; unused if count is 0
    bool is_loaded = false;

    std::string_view view() const { return count ? chain.view() : std::string_view(); }
};

class RecordReadAhead {
public:
    explicit RecordReadAhead(Memory &memory) : memory_(&memory) {}

    // Of the run that was read: its bytes, until the next call; else nothing.
    std::optional<std::string_view> find(uint64_t seq) {
        if (!records_ || seq < first_ || seq >= first_ + records_->size()) return {};
        newest_ = seq;
        return (*records_)[seq - first_].bytes;
    }
    // Is this the record after the one that was asked for last?
    bool is_next(uint64_t seq) const { return newest_ && seq == newest_ + 1; }
    // What was found last has been taken: nothing is held behind the end of a run.
    void taken() {
        if (records_ && newest_ + 1 == first_ + records_->size()) records_.reset();
    }
    // One was read alone.
    void note(uint64_t seq) {
        records_.reset();
        newest_ = seq;
    }
    // Reads a run from this one on.
    Status read(store::StoreSession &store, uint64_t seq) {
        constexpr uint64_t kMaxRecords = 4096;
        constexpr size_t kMaxBytes = 512 << 10;
        records_.reset();
        records_.emplace(*memory_);
        const uint64_t rest = store.row().last - seq;
        first_ = seq;
        const uint64_t last = seq + (rest < kMaxRecords ? rest : kMaxRecords);
        Status status = store.scan(seq, last, false, kMaxBytes, *records_);
        if (status.failed()) records_.reset();
        return status;
    }

private:
    Memory *memory_;
    std::optional<store::StoreRecords> records_;
    uint64_t first_ = 0, newest_ = 0;
};

// A session: frames and messages in, each checked, kept and applied once and in order; and at any
// moment what a model should be given. Specification 3.7, 5.
//
// Its parts: `inflow` takes frames, `outflow` sends them, `refs` is what references stand for; all
// three commit through the driver (driver.h), which keeps the core (core.h), the session in memory,
// and the store alike.
//
// Time is an argument of every call, in milliseconds since the epoch. One thread at a time;
// sessions share nothing but the store and, while a call runs, a scratch of their engine.

class Session {
public:
    Session(Memory &memory, const SessionRules &rules, const SessionHooks &hooks = {})
        : driver(memory, rules, hooks),
          deliveries(memory),
          inflow(driver, deliveries),
          outflow(driver, inflow, deliveries),
          context_values(memory, driver),
          refs(driver, context_values),
          packets(driver, refs),
          ahead_(memory) {}

    // Opens the session of this id, with all that was ever applied to it: to write, where it is
    // made if it is missing and an older writer is shut out, or to read it as it stands.
    // ACCP_ERR_CORRUPT for records that cannot be read, ACCP_ERR_ARG for other rules: nobody is
    // shut out then.
    Status open(store::Store &store, std::string_view id, bool writes, const PermutationKey &mids,
                Scratch &scratch);
    // The end of the session itself: no frame is taken any more, whoever opens it
    // (ACCP_ERR_CLOSED).
    Status end(int64_t now_ms, Scratch &scratch);

    // Appends a message without a frame; it only becomes part of the history. `peer`: the sender;
    // nullptr: the host. E5001: the peer may not send it.
    Status append(std::string_view json, const Peer *peer, int64_t now_ms, Scratch &scratch);
    // Appends many messages, each on a line that ends with a newline; they become durable together.
    // `count`: how many were tried. E5001: the peer may not send one of them; none was appended.
    Status append_lines(std::string_view lines, const Peer *peer, int64_t now_ms, Scratch &scratch,
                        uint64_t &count);
    Status checkpoint(int64_t now_ms, Scratch &scratch);
    // Appends what a model should be given.
    Status context(uint64_t budget, Scratch &scratch, Buffer<char> &out, uint64_t &tokens);
    // The same as blocks, in place of what both had.
    Status blocks(uint64_t budget, Scratch &scratch, Buffer<context::Block> &blocks,
                  Buffer<char> &out);
    Status budget(Scratch &scratch, context::TokenUse &out);
    // Record `seq` of the log: what was said, byte for byte. E2001: there is none. Who asks for one
    // after the other gets what was read in one run, without a look whose the session is since.
    Status record(uint64_t seq, Scratch &scratch, Buffer<char> &bytes, Record &out);
    // Of an open session, as it is in memory.
    const Core &core() const { return driver.core(); }
    uint64_t last_record() const { return driver.last_record(); }
    // A millisecond before there is something to expire(); INT64_MAX: nothing waits.
    int64_t next_deadline() const {
        const int64_t overdue = driver.inbox.next_overdue();
        return std::min(core().pending.requests.next(), overdue - (overdue != INT64_MAX));
    }
    // Of the texts that it keeps in memory, in bytes: what an open session needs beside them is to
    // be small.
    size_t text_bytes() const { return core().text_bytes() + driver.id().size(); }

    Driver driver;
    // What was applied, and what became of frames that were not: to be handed out.
    Deliveries deliveries;
    Inflow inflow;
    Outflow outflow;
    ContextValues context_values;
    OwnRefs refs;
    PacketRefs packets;
    HistoryMark history;  // history.h

    // Reads a message, and checks that this peer may send it.
    Status read_message(std::string_view json, const Peer *peer, Scratch &scratch,
                        message::Message &out) const;
    // For a call that has begun: append a message, or an unchanged message of another session.
    Status keep_message(std::string_view json, const Peer *peer, int64_t now_ms, Scratch &scratch);
    Status copy_message(const Record &record, Scratch &scratch);

private:
    Status write_values(Scratch &scratch, Buffer<char> &out, uint64_t &tokens, uint64_t &budget);

    RecordReadAhead ahead_;
};

}  // namespace accp::session
