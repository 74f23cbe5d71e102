// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session: checks, stores and applies frames and messages once and in order, and builds contexts
// for models. Specification 3.7, 5.
#pragma once

#include <algorithm>
#include <optional>

#include "accp/session.h"
#include "base/sha256.h"
#include "session/outflow.h"
#include "session/own_refs.h"
#include "store/store.h"

namespace accp::session {

// The number of messages up to a record, and the chain of their hashes: history.h.
struct HistoryMark {
    uint64_t count = 0, record = 0;
    Digest chain = {};  // of these messages; unused if count is 0
    bool is_loaded = false;

    std::string_view view() const { return count ? chain.view() : std::string_view(); }
};

// Reads records in runs, for a caller that reads one after the other: in a distant store each
// single read is a round trip. Records never change, so a run can be used without reading it again.
class RecordReadAhead {
public:
    explicit RecordReadAhead(Memory &memory) : memory_(&memory) {}

    // Returns the bytes of a record of the current run, valid until the next call; otherwise
    // nothing.
    std::optional<std::string_view> find(uint64_t seq) {
        if (!records_ || seq < first_ || seq >= first_ + records_->size()) return {};
        newest_ = seq;
        return (*records_)[seq - first_].bytes;
    }
    // Returns whether this is the record after the last requested one.
    bool is_next(uint64_t seq) const { return newest_ && seq == newest_ + 1; }
    // Call after using a found record. Frees the run after its last record.
    void taken() {
        if (records_ && newest_ + 1 == first_ + records_->size()) records_.reset();
    }
    // Notes a record that was read alone.
    void note(uint64_t seq) {
        records_.reset();
        newest_ = seq;
    }
    // Reads a run that starts at this record.
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

// Parts of a session: `inflow` receives frames, `outflow` sends them, `refs` resolves references.
// They commit through the driver (driver.h), which keeps the core (core.h, the session in memory)
// and the store equal.
//
// Every call takes the time as an argument, in milliseconds since the epoch. One thread at a time
// may use a session. Sessions share only the store and, during a call, a scratch of their engine.
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

    // Opens a session. In write mode it is created if it does not exist, and an older writer loses
    // its right to write. ACCP_ERR_CORRUPT: records cannot be read; ACCP_ERR_ARG: the session has
    // other rules. In both cases an older writer keeps its right.
    Status open(store::Store &store, std::string_view id, bool writes, const PermutationKey &mids,
                Scratch &scratch);
    // Ends the session for good. Later frames are refused with ACCP_ERR_CLOSED, even after
    // reopening.
    Status end(int64_t now_ms, Scratch &scratch);

    // Appends a message without a frame; it only becomes part of the history. `peer`: the sender;
    // nullptr: the host. E5001: the peer may not send it.
    Status append(std::string_view json, const Peer *peer, int64_t now_ms, Scratch &scratch);
    // Appends many messages, each on a line that ends with a newline; they become durable together.
    // `count`: how many were tried. E5001: the peer may not send one of them; none was appended.
    Status append_lines(std::string_view lines, const Peer *peer, int64_t now_ms, Scratch &scratch,
                        uint64_t &count);
    Status checkpoint(int64_t now_ms, Scratch &scratch);
    // Appends the context for a model.
    Status context(uint64_t budget, Scratch &scratch, Buffer<char> &out, uint64_t &tokens);
    // The same as blocks. Replaces the content of `blocks` and `out`.
    Status blocks(uint64_t budget, Scratch &scratch, Buffer<context::Block> &blocks,
                  Buffer<char> &out);
    Status budget(Scratch &scratch, context::TokenUse &out);
    // Reads record `seq` of the log, byte for byte. E2001: not found. Consecutive records are read
    // in runs; a record of a run is returned without checking the owner again.
    Status record(uint64_t seq, Scratch &scratch, Buffer<char> &bytes, Record &out);
    // The session in memory. It must be open.
    const Core &core() const { return driver.core(); }
    uint64_t last_record() const { return driver.last_record(); }
    // The time after which expire() has something to do; INT64_MAX: nothing waits.
    int64_t next_deadline() const {
        const int64_t overdue = driver.inbox.next_overdue();
        return std::min(core().pending.requests.next(), overdue - (overdue != INT64_MAX));
    }
    // The bytes of text that the session keeps in memory.
    size_t text_bytes() const { return core().text_bytes() + driver.id().size(); }

    Driver driver;
    // Entries for the host, returned by next().
    Deliveries deliveries;
    Inflow inflow;
    Outflow outflow;
    ContextValues context_values;
    OwnRefs refs;
    PacketRefs packets;
    HistoryMark history;  // history.h

    Status read_message(std::string_view json, const Peer *peer, Scratch &scratch,
                        message::Message &out) const;
    // These require a started call: append a message, or a copy of a message of another session.
    Status keep_message(std::string_view json, const Peer *peer, int64_t now_ms, Scratch &scratch);
    Status copy_message(const Record &record, Scratch &scratch);

private:
    Status write_values(Scratch &scratch, Buffer<char> &out, uint64_t &tokens, uint64_t &budget);

    RecordReadAhead ahead_;
};

}  // namespace accp::session
