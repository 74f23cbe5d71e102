// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a call on a session tells the hook `event`: by how it leaves the session, as it is with
// counts (tally.h). Where there is no hook nothing is looked at.
#pragma once

#include "accp/hooks.h"
#include "capi/session_handles.h"

namespace accp::capi {

// What a call does: it takes a frame, makes those that it leaves in session->out, or appends
// messages.
struct CallSubject {
    enum Kind : uint8_t { kOther, kReceived, kSent, kAppended } kind = kOther;
    std::string_view text = {};  // what came in
};

class SessionEvents {
public:
    explicit SessionEvents(accp_session &session) : session_(session) {
        if (session.hooks->event) before_ = now();
    }
    // While the session is busy still: the hook may not use it.
    void tell(const CallSubject &subject, accp_status status) noexcept {
        if (session_.hooks->event) tell_all(subject, status);
    }
    // A context of so many tokens was made, of which a cache serves some.
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
