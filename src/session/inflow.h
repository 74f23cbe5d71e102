// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames from outside, by the order of checks of docs/wire.md 8; those that wait for an earlier
// one; and what all this hands out.
#pragma once

#include "session/deliveries.h"
#include "session/driver.h"
#include "session/frames.h"

namespace accp::session {

class Inflow {
public:
    Inflow(Driver &driver, Deliveries &deliveries) : driver_(driver), deliveries_(deliveries) {}

    // A frame from outside, by a peer. E5001: not under this name, and nothing has changed.
    // ACCP_OK: applied; ACCP_HELD: it waits; ACCP_DROPPED: answer nothing; else refused. The offset
    // is a byte of the frame. What was applied is a delivery. After it release_waiting(): frames
    // that had waited for it. A call of its own, so that a failure of theirs is not taken for one
    // of this frame; what it could not do, the next receive() does first.
    Status receive(std::string_view frame, const Peer &peer, int64_t now_ms, Scratch &scratch);
    bool has_ready() const { return driver_.inbox.ready() != nullptr; }
    // The same, and closes gaps that are overdue and have a state after them.
    bool has_due(int64_t now_ms) const { return has_ready() || driver_.inbox.overdue(now_ms); }
    Status release_waiting(int64_t now_ms, Scratch &scratch);
    // Forgets the parts that are held of a chain's messages, of all where cid is empty.
    Status remove_parts(std::string_view cid, int64_t now_ms, Scratch &scratch);

    // For a call that has begun: frames that waited, now that it is their turn.
    Status release(int64_t now_ms, Scratch &scratch);

    // Is this frame, one of ours or not, of a chain that was cancelled?
    Status is_cancelled(const delivery::Arrival &frame, Scratch &scratch, bool &out);

private:
    Status judge(Frame &frame, Scratch &scratch, delivery::Judgement &out);
    bool is_whole_state(const Frame &frame, Scratch &scratch) const;
    bool join_waiting(const Frame &frame, Scratch &scratch) const;
    Status receive_now(std::string_view text, const Peer &peer, int64_t now_ms, Scratch &scratch);
    Status admit(const delivery::Arrival &frame, const Peer &peer);
    Status find_causes(Scratch &scratch);
    Status take(Frame &frame, Scratch &scratch);
    Status join(Frame &frame, Scratch &scratch, bool &held, bool &whole) const;
    Status take_part(const Frame &frame, Scratch &scratch);
    Status read(const Frame &frame, FrameRefs &refs, Scratch &scratch, message::Message &out);
    Status keep(const Frame &frame, const message::Message &message, bool with_json,
                Scratch &scratch);
    Status refuse(const Frame &frame, const Status &why, Scratch &scratch);
    Status use_up(const Frame &frame, bool keeps_mid, Scratch &scratch);
    Status hold(const Frame &frame, bool new_gap);
    Status give_up_gap(Frame &frame, int64_t now_ms, Scratch &scratch);
    Status take_up_to(const delivery::Inbox::Held &state, int64_t now_ms, Scratch &scratch);
    Status take_waiting(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch);
    Status pass_by(const delivery::Inbox::Held &held);
    static bool is_refused(const Status &status) { return status.code > ACCP_HELD; }

    Driver &driver_;
    Deliveries &deliveries_;
};

}  // namespace accp::session
