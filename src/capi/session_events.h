// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls the hook `event` after a call on a session. It finds the events by comparing the session
// before and after the call, as tally.h does for counts. Without a hook it does nothing.
#pragma once

#include "accp/hooks.h"
#include "capi/session_handles.h"

namespace accp::capi {

// The kind of a call: it receives a frame, makes the frames in session->out, or appends messages.
struct CallSubject {
    enum Kind : uint8_t { kOther, kReceived, kSent, kAppended } kind = kOther;
    std::string_view text = {};  // the input of the call
};

class SessionEvents {
public:
    explicit SessionEvents(accp_session &session) : session_(session) {
        if (session.hooks->event) before_ = now();
    }
    // Call this while the session is still busy, because the hook may not use it.
    void tell(const CallSubject &subject, accp_status status) noexcept {
        if (session_.hooks->event) tell_all(subject, status);
    }
    // Reports a new context with so many tokens, of which a cache serves `cached`.
    void tell_context(uint64_t tokens, uint64_t cached) noexcept;

private:
    struct Marks {
        size_t deliveries = 0, marks = 0;
        uint32_t gaps = 0, checkpoints = 0;
        uint64_t taken = 0, messages = 0, closed = 0, history = 0;
    };
    Marks now() const;
    accp_event event_of(int32_t kind, accp_status status) const;
    void send(const accp_event &event) const {
        session_.hooks->event(&event, session_.hooks->user);
    }
    void tell_all(const CallSubject &subject, accp_status status) noexcept;
    void tell_sent(accp_status status, session::Scratch &scratch);
    void tell_appended(std::string_view text, accp_status status);
    void tell_checkpoints(const Marks &after);
    void tell_frame(int32_t direction, std::string_view text, accp_status status,
                    session::Scratch &scratch);
    void tell_delivery(const session::Delivery &one, session::Scratch &scratch);

    accp_session &session_;
    Marks before_;
    uint32_t opened_ = 0;  // gaps
    accp_text own_mid_ = {};
};

}  // namespace accp::capi
