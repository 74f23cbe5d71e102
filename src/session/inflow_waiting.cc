// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames that wait for an earlier one.
#include "base/text.h"
#include "session/inflow.h"

namespace accp::session {

namespace {

constexpr const char *kMissing = "earlier frames are missing";
constexpr const char *kPassed =
    "another frame has used this seq: send the frame again with the next one, or set rule "
    "by_sender";
constexpr const char *kOwn = "its agent belongs to the host now";

}  // namespace

// Checks the frame with the inbox. A part can close a gap only together with the parts that wait.
// These are read only if the part would have to wait too.
Status Inflow::check_order(Frame &frame, Scratch &scratch, delivery::InboxResult &out) {
    delivery::Arrival &arrival = frame.arrival;
    arrival.whole_state = !frame.is_part && is_whole_state(frame, scratch);
    Status status = driver_.inbox.check(arrival, driver_.id(), driver_, out);
    if (status.failed() || out.verdict != delivery::Verdict::kWaits || !frame.is_part)
        return status;
    arrival.whole_state = driver_.rules.parts && is_whole_state(frame, scratch);
    return driver_.inbox.check(arrival, driver_.id(), driver_, out);
}

// Returns whether a frame that is too early contains the whole shared state. A part does if it
// completes the state together with the parts that wait.
bool Inflow::is_whole_state(const Frame &frame, Scratch &scratch) const {
    const delivery::Arrival &arrival = frame.arrival;
    if (!arrival.is_state() || arrival.envelope.seq <= driver_.inbox.next(arrival.agent))
        return false;
    if (frame.is_part && !join_waiting(frame, scratch)) return false;
    codec::Codec &codec = scratch.codec_inside;
    message::Message message;
    return codec.parse(frame.is_part ? scratch.frames.joined.view() : frame.text).ok() &&
           codec.decode_parsed({nullptr, false, false}, message).ok() && message.is_whole_state();
}

// Joins a part with the waiting parts of its agent, into scratch.frames.joined. Returns false if
// they are not a complete message.
bool Inflow::join_waiting(const Frame &frame, Scratch &scratch) const {
    const std::string_view agent = frame.arrival.agent,
                           header = frame.text.substr(0, frame.payload);
    delivery::PartialMessages parts(scratch.memory);
    PartFrame read;
    for (const delivery::Inbox::Held *held = driver_.inbox.below(agent, kMaxSeq); held;
         held = held->next) {
        if (!held->text().starts_with(header)) continue;
        const bool part = read_part(held->text(), scratch, read).ok() && read.is_part;
        if (part && parts.check(read.part, UINT64_MAX).ok()) parts.hold(read.part);
    }
    if (read_part(frame.text, scratch, read).failed() || !parts.completes(read.part)) return false;
    scratch.frames.joined.recycle(kKeptBytes);
    parts.join(read.part, scratch.frames.arena, scratch.frames.joined);
    return true;
}

// Called when `frame`, a whole state, closes a gap. Applies the frames that wait before it,
// although others are missing, and reads the frame again.
Status Inflow::close_gap_before(Frame &frame, int64_t now_ms, Scratch &scratch) {
    const Driver::EarlyCommits early(driver_);
    while (const delivery::Inbox::Held *held =
               driver_.inbox.below(frame.arrival.agent, frame.arrival.envelope.seq)) {
        Status status = release_one(*held, now_ms, scratch);
        if (status.failed()) return status;
    }
    return read_frame(frame.text, now_ms, frame.arrival.untrusted, scratch, frame);
}

// Lets a state that waits close the gap before it: applies the waiting frames up to the state, and
// the state itself.
Status Inflow::release_up_to(const delivery::Inbox::Held &state, int64_t now_ms, Scratch &scratch) {
    Status status;
    for (bool ends = false; status.ok() && !ends;) {
        const delivery::Inbox::Held *held = driver_.inbox.below(state.agent(), state.seq + 1);
        ends = held == &state;
        status = release_one(*held, now_ms, scratch);
    }
    return status;
}

Status Inflow::release_waiting(int64_t now_ms, Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    if (status.ok()) status = release_ready(now_ms, scratch);
    while (const delivery::Inbox::Held *state =
               status.ok() ? driver_.inbox.overdue(now_ms) : nullptr) {
        status = release_up_to(*state, now_ms, scratch);
        if (status.ok()) status = release_ready(now_ms, scratch);
    }
    return driver_.finish(status);
}

Status Inflow::hold(const Frame &frame, bool new_gap) {
    deliveries_.reserve(1, 0);
    driver_.inbox.hold(frame.arrival, frame.text);
    if (new_gap) deliveries_.add({ACCP_E3003, frame.arrival.envelope.seq, {}, {}, {}, kMissing});
    return fail(ACCP_HELD, 0, "it waits for an earlier frame");
}

Status Inflow::release_ready(int64_t now_ms, Scratch &scratch) {
    while (const delivery::Inbox::Held *held = driver_.inbox.ready()) {
        Status status = release_one(*held, now_ms, scratch);
        if (status.failed()) return status;
    }
    return {};
}

Status Inflow::release_first(int64_t now_ms, Scratch &scratch) {
    if (!has_ready()) return {};
    const Driver::EarlyCommits early(driver_);
    return driver_.finish(release_ready(now_ms, scratch));
}

// Drops a waiting frame if another frame, perhaps one of the host, has used its number meanwhile.
// A delivery reports E3003, so the other side can send the message again under a new number.
Status Inflow::report_used_seq(const delivery::Inbox::Held &held) {
    deliveries_.reserve(1, held.mid().size());
    deliveries_.add({ACCP_E3003, held.seq, {}, held.mid(), {}, kPassed});
    driver_.inbox.drop(&held);
    return {};
}

Status Inflow::release_one(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch) {
    if (driver_.inbox.is_used(held.agent(), held.seq)) return report_used_seq(held);
    Frame frame = {};
    deliveries_.reserve(1, held.mid().size() + held.text().size());
    Status status = driver_.core().is_own_agent(held.agent())
                        ? fail(ACCP_E5001, 0, kOwn)
                        : read_frame(held.text(), now_ms, held.untrusted, scratch, frame);
    if (status.ok())
        status = driver_.inbox.is_expired(frame.arrival) ? use_up_seq(frame, false, scratch)
                                                         : process(frame, scratch);
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
