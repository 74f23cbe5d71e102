// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: frames that wait for an earlier one.
#include "base/text.h"
#include "session/refs.h"
#include "session/session.h"

namespace accp::session {

namespace {

constexpr const char *kMissing = "frames before this one are missing";
constexpr const char *kPassed =
    "another frame has this seq: send it anew under the next, or set rule by_sender";
constexpr const char *kOurs = "its agent is the host's own since";

}  // namespace

// A state has come that closes a gap: what waits below it is applied, whatever is missing.
Status Session::give_up_gap(Frame &frame, int64_t now_ms, Scratch &scratch) {
    while (const delivery::Inbox::Held *held =
               inbox_.below(frame.arrival.agent, frame.arrival.envelope.seq)) {
        Status status = take_waiting(*held, now_ms, scratch);
        if (status.failed()) return status;
    }
    return read_frame(frame.text, now_ms, frame.arrival.untrusted, scratch, frame);
}

Status Session::release_waiting(int64_t now_ms, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    status = release(now_ms, scratch);
    return status.ok() ? settle() : status;
}

Status Session::hold(const Frame &frame, bool new_gap) {
    deliveries_.reserve(1, 0);
    inbox_.hold(frame.arrival, frame.text);
    if (new_gap) deliveries_.add({ACCP_E3003, frame.arrival.envelope.seq, {}, {}, {}, kMissing});
    return fail(ACCP_HELD, 0, "it waits for an earlier frame");
}

// Frames that waited, now that it is their turn.
Status Session::release(int64_t now_ms, Scratch &scratch) {
    while (const delivery::Inbox::Held *held = inbox_.ready()) {
        Status status = take_waiting(*held, now_ms, scratch);
        if (status.failed()) return status;
    }
    return {};
}

// Another frame with its number, one of ours perhaps, came before it: where agents count together,
// the other side sends it again under another.
Status Session::pass_by(const delivery::Inbox::Held &held) {
    deliveries_.reserve(1, held.mid().size());
    deliveries_.add({ACCP_E3003, held.seq, {}, held.mid(), {}, kPassed});
    inbox_.drop(&held);
    return {};
}

Status Session::take_waiting(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch) {
    if (inbox_.is_used(held.agent(), held.seq)) return pass_by(held);
    Frame frame = {};
    deliveries_.reserve(1, held.mid().size() + held.text().size());
    Status status = is_own_agent(held.agent())
                        ? fail(ACCP_E5001, 0, kOurs)
                        : read_frame(held.text(), now_ms, held.untrusted, scratch, frame);
    if (status.ok())
        status =
            inbox_.is_expired(frame.arrival) ? use_up(frame, false, scratch) : take(frame, scratch);
    if (status.code < 0) return status;
    if (is_refused(status))
        deliveries_.add({status.code,
                         held.seq,
                         {},
                         held.mid(),
                         to_view(frame.arrival.envelope.cid),
                         status.message});
    inbox_.drop(&held);
    return {};
}

}  // namespace accp::session
