// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What happened to packets, kept in a store: a session of its own name, whose log has a line of
// JSON for each event, and whose cold tier has packets and feedback under the SHA-256 of their
// files. docs/panes.md has the lines.
#pragma once

#include "packet/panes/tally.h"
#include "store/store.h"
#include "value/json_line.h"

namespace accp::panes {

constexpr std::string_view kJournalSession = "agentwire";

enum class EventKind : uint8_t { kTask, kReceipt, kEdit, kArchive, kOther };

struct Event {
    EventKind kind = EventKind::kOther;
    int64_t pane = -1;
    Task task;  // of kTask
};

class Journal {
public:
    Journal(store::Store &store, Memory &memory)
        : store_(store),
          memory_(memory),
          batch_(memory),
          line_(memory),
          records_(memory),
          reader_(memory),
          value_(memory) {}

    // What begin() and the calls after it put together becomes durable with commit(), all or none.
    void begin() { batch_.clear(); }
    void add_task(const Task &task);
    void add_receipt(int64_t pane, std::string_view packet, std::string_view shared,
                     uint64_t tokens, uint64_t now_ms);
    void add_edit(int64_t pane, std::string_view packet, uint64_t now_ms);
    // The file of a packet, and of its feedback where there is one.
    void add_archive(int64_t pane, std::string_view packet, std::string_view feedback,
                     uint64_t now_ms);
    // To be called with the project's lock held. Another project's writer may still come between:
    // then it is done again. ACCP_ERR_BUSY: too often.
    Status commit();

    // Calls `take`, a function of an Event, for each in its order. ACCP_ERR_CORRUPT: a record is
    // none of these lines.
    template <class Take>
    Status each(Take take);

private:
    Status read(std::string_view record, Event &out);

    store::Store &store_;
    Memory &memory_;
    store::StoreBatch batch_;
    Buffer<char> line_;
    store::StoreRecords records_;
    value::JsonReader reader_;
    value::Value value_;
};

template <class Take>
Status Journal::each(Take take) {
    store::StoreSession *opened = nullptr;
    Status status = store_.open_session(kJournalSession, false, opened);
    if (status.failed()) return status.code == ACCP_E2001 ? Status{} : status;
    const store::HeldSession session(opened);
    for (uint64_t next = 1; next <= session->row().last;) {
        status = session->scan(next, 0, false, kScanBytes, records_);
        if (status.failed()) return status;
        for (size_t i = 0; i < records_.size(); ++i) {
            Event event;
            status = read(records_[i].bytes, event);
            if (status.failed()) return move_to(status, records_[i].seq);
            take(event);
        }
        if (!records_.size()) break;
        next = records_[records_.size() - 1].seq + 1;
    }
    return {};
}

}  // namespace accp::panes
