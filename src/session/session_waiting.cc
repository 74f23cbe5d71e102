// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: frames that wait for an earlier one, and the queue of what next() hands out.
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
    delivered_.reserve(kMaxDelivery);
    inbox_.hold(frame.arrival, frame.text);
    if (new_gap) deliver(ACCP_E3003, frame.arrival.envelope.seq, {}, kMissing);
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
    delivered_.reserve(kMaxDelivery);
    deliver(ACCP_E3003, held.seq, {}, kPassed);
    inbox_.drop(&held);
    return {};
}

Status Session::take_waiting(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch) {
    if (inbox_.is_used(held.agent(), held.seq)) return pass_by(held);
    Frame frame;
    delivered_.reserve(kMaxDelivery);
    Status status = is_own_agent(held.agent())
                        ? fail(ACCP_E5001, 0, kOurs)
                        : read_frame(held.text(), now_ms, held.untrusted, scratch, frame);
    if (status.ok())
        status =
            inbox_.is_expired(frame.arrival) ? use_up(frame, false, scratch) : take(frame, scratch);
    if (status.code < 0) return status;
    if (is_refused(status)) deliver(status.code, held.seq, {}, status.message);
    inbox_.drop(&held);
    return {};
}

void Session::deliver(accp_status status, int64_t seq, std::string_view json, const char *reason,
                      bool untrusted) {
    Packer packer(delivered_);
    packer.number(static_cast<uint64_t>(status));
    packer.number(static_cast<uint64_t>(seq));
    packer.number(reinterpret_cast<uintptr_t>(reason));
    packer.number(untrusted);
    packer.text(json);
}

bool Session::next(Delivered &out) {
    if (peek(handed_out_, out)) return true;
    delivered_.recycle(kKeptBytes);
    handed_out_ = 0;
    return false;
}

bool Session::peek(size_t &place, Delivered &out) const {
    std::string_view rest(delivered_.data() + place, delivered_.size() - place);
    if (rest.empty()) return false;
    Unpacker unpacker(rest);
    out.status = static_cast<accp_status>(unpacker.number());
    out.seq = static_cast<int64_t>(unpacker.number());
    out.reason = reinterpret_cast<const char *>(static_cast<uintptr_t>(unpacker.number()));
    out.untrusted = unpacker.number() != 0;
    out.json = unpacker.text();
    place = delivered_.size() - unpacker.rest().size();
    return true;
}

}  // namespace accp::session
