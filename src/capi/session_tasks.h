// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What becomes of the packets that a session hands to workers, told to a project
// (packet/panes/handoffs.h). What is open is a blob of the session, `handoffs!` in warm.
#pragma once

#include "capi/session_handles.h"
#include "packet/panes/handoffs.h"
#include "store/handle.h"
#include "value/json_reader.h"

namespace accp::capi {

struct SessionTasks {
    // What one is made of.
    struct Source {
        const Settings &settings;
        accp_store *store;
    };

    explicit SessionTasks(const Source &from)
        : settings(from.settings),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          store(store::share_store(from.store)),
          panes(store->store, memory),
          handoffs(memory),
          reader(memory),
          value(memory),
          sent(memory) {}

    const Settings &settings;
    Memory memory;
    accp_store *store;   // of the project's journal
    panes::Panes panes;  // its own, so that no other thread's is used
    panes::Handoffs handoffs;
    value::JsonReader reader;
    value::Value value;
    Buffer<char> sent;  // the message of a frame that went out
};

// Of a message that was taken; `ours`: sent or appended. Nothing where no project is told. It fails
// nothing: what cannot be told now is told with the next such message.
void note_said(accp_session *session, std::string_view json, bool ours, int64_t now_ms) noexcept;
// The same of what is new in the queue from `place` on.
void note_received(accp_session *session, size_t place, int64_t now_ms) noexcept;
// The same of the frame that was sent last.
void note_sent(accp_session *session, std::string_view frame, int64_t now_ms) noexcept;
void end_tasks(accp_session *session) noexcept;

}  // namespace accp::capi
