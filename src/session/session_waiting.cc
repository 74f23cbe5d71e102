// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: frames that wait for an earlier one, and the queue of what next() hands out.
#include "session/refs.h"
#include "session/session.h"

namespace accp {

namespace {

constexpr const char *kMissing = "frames before this one are missing";
constexpr const char *kPassed = "a frame of ours has this seq";
constexpr const char *kOurs = "its agent is the host's own since";

}  // namespace

// A state has come that closes a gap: what waits below it is applied, whatever is missing.
Status Session::give_up_gap(Frame &frame, int64_t now_ms, Desk &desk) {
    for (;;) {
        Inbox::Waiting waiting = inbox_.below(frame.arrival.agent, frame.arrival.envelope.seq);
        if (waiting.text.empty()) return read_frame(frame.text, now_ms, frame.arrival.untrusted, desk, frame);
        Status status = take_waiting(waiting, now_ms, desk);
        if (status.failed()) return status;
    }
}

Status Session::release_waiting(int64_t now_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    status = release(now_ms, desk);
    return status.ok() ? settle() : status;
}

Status Session::hold(const Frame &frame, bool new_gap) {
    delivered_.room(kMostDelivery);
    inbox_.hold(frame.arrival, frame.text);
    if (new_gap) deliver(ACCP_E3003, frame.arrival.envelope.seq, {}, kMissing);
    return fail(ACCP_HELD, 0, "it waits for an earlier frame");
}

// Frames that waited, now that it is their turn.
Status Session::release(int64_t now_ms, Desk &desk) {
    for (;;) {
        Inbox::Waiting waiting = inbox_.ready();
        if (waiting.text.empty()) return {};
        Status status = waiting.seq < inbox_.next(waiting.agent) ? pass_by(waiting) : take_waiting(waiting, now_ms, desk);
        if (status.failed()) return status;
    }
}

// A message of ours, in parts perhaps, has its number: where both count together, the other side sends it again under another.
Status Session::pass_by(const Inbox::Waiting &waiting) {
    delivered_.room(kMostDelivery);
    deliver(ACCP_E3003, waiting.seq, {}, kPassed);
    inbox_.drop(waiting.agent, waiting.seq);
    return {};
}

Status Session::take_waiting(const Inbox::Waiting &waiting, int64_t now_ms, Desk &desk) {
    Frame frame;
    delivered_.room(kMostDelivery);
    Status status =
        is_own_agent(waiting.agent) ? fail(ACCP_E5001, 0, kOurs) : read_frame(waiting.text, now_ms, waiting.untrusted, desk, frame);
    if (status.ok()) status = take(frame, desk);
    if (status.code < 0) return status;
    if (is_refused(status)) deliver(status.code, waiting.seq, {}, status.message);
    inbox_.drop(waiting.agent, waiting.seq);
    return {};
}

void Session::deliver(accp_status status, int64_t seq, std::string_view json, const char *reason, bool untrusted) {
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

}  // namespace accp
