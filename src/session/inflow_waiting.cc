// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See inflow.h: frames that wait for an earlier one.
#include "base/text.h"
#include "session/inflow.h"

namespace accp::session {

namespace {

constexpr const char *kMissing = "frames before this one are missing";
constexpr const char *kPassed =
    "another frame has this seq: send it anew under the next, or set rule by_sender";
constexpr const char *kOurs = "its agent is the host's own since";

}  // namespace

// A state has come that closes a gap: what waits below it is applied, whatever is missing.
Status Inflow::give_up_gap(Frame &frame, int64_t now_ms, Scratch &scratch) {
    while (const delivery::Inbox::Held *held =
               driver_.inbox.below(frame.arrival.agent, frame.arrival.envelope.seq)) {
        Status status = take_waiting(*held, now_ms, scratch);
        if (status.failed()) return status;
    }
    return read_frame(frame.text, now_ms, frame.arrival.untrusted, scratch, frame);
}

// A state that waits closes the gap before it: what waits up to it is applied, and it.
Status Inflow::take_up_to(const delivery::Inbox::Held &state, int64_t now_ms, Scratch &scratch) {
    Status status;
    for (bool ends = false; status.ok() && !ends;) {
        const delivery::Inbox::Held *held = driver_.inbox.below(state.agent(), state.seq + 1);
        ends = held == &state;
        status = take_waiting(*held, now_ms, scratch);
    }
    return status;
}

Status Inflow::release_waiting(int64_t now_ms, Scratch &scratch) {
    Status status = driver_.begin(scratch);
    if (status.ok()) status = release(now_ms, scratch);
    while (const delivery::Inbox::Held *state =
               status.ok() ? driver_.inbox.overdue(now_ms) : nullptr) {
        status = take_up_to(*state, now_ms, scratch);
        if (status.ok()) status = release(now_ms, scratch);
    }
    return driver_.finish(status);
}

Status Inflow::hold(const Frame &frame, bool new_gap) {
    deliveries_.reserve(1, 0);
    driver_.inbox.hold(frame.arrival, frame.text);
    if (new_gap) deliveries_.add({ACCP_E3003, frame.arrival.envelope.seq, {}, {}, {}, kMissing});
    return fail(ACCP_HELD, 0, "it waits for an earlier frame");
}

Status Inflow::release(int64_t now_ms, Scratch &scratch) {
    while (const delivery::Inbox::Held *held = driver_.inbox.ready()) {
        Status status = take_waiting(*held, now_ms, scratch);
        if (status.failed()) return status;
    }
    return {};
}

// Another frame with its number, one of ours perhaps, came before it: where agents count together,
// the other side sends it again under another.
Status Inflow::pass_by(const delivery::Inbox::Held &held) {
    deliveries_.reserve(1, held.mid().size());
    deliveries_.add({ACCP_E3003, held.seq, {}, held.mid(), {}, kPassed});
    driver_.inbox.drop(&held);
    return {};
}

Status Inflow::take_waiting(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch) {
    if (driver_.inbox.is_used(held.agent(), held.seq)) return pass_by(held);
    Frame frame = {};
    deliveries_.reserve(1, held.mid().size() + held.text().size());
    Status status = driver_.core().is_own_agent(held.agent())
                        ? fail(ACCP_E5001, 0, kOurs)
                        : read_frame(held.text(), now_ms, held.untrusted, scratch, frame);
    if (status.ok())
        status = driver_.inbox.is_expired(frame.arrival) ? use_up(frame, false, scratch)
                                                         : take(frame, scratch);
    if (status.code < 0) return status;
    if (is_refused(status))
        deliveries_.add({status.code,
                         held.seq,
                         {},
                         held.mid(),
                         to_view(frame.arrival.envelope.cid),
                         status.message});
    driver_.inbox.drop(&held);
    return {};
}

}  // namespace accp::session
