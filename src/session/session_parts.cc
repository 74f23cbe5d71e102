// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: messages in parts (decision A55). Each part is a frame with a mid and a seq
// of its own, and a record of its own; the record of the part that makes its message whole has the
// message too, so that applying it again needs no other.
#include "frame/envelope.h"
#include "session/session.h"

namespace accp::session {

namespace {

// What a record says is held as what a frame says: it was checked when it came, but the record may
// be a stranger's.
Status hold_part(delivery::PartialMessages &parts, const delivery::MessagePart &part,
                 uint64_t place, bool untrusted) {
    if (parts.check(part, UINT64_MAX).failed())
        return fail(ACCP_ERR_CORRUPT, 0, "a part of a message that cannot be one");
    parts.hold(part, place | (untrusted ? kUntrustedTag : 0));
    return {};
}

}  // namespace

// What a frame that was taken says of itself, where it may be a part.
Status Session::part_of(std::string_view frame, Scratch &scratch, accp_envelope &envelope,
                        delivery::MessagePart &part, bool &is_part) {
    Buffer<value::Node> &nodes = scratch.ancestor_nodes;
    nodes.recycle(kKeptBytes);
    scratch.arena.reset();
    is_part = false;
    Status status = scratch.codec.coder.parse(frame.data(), frame.size(), nodes);
    if (status.failed()) return status;
    const uint32_t meta = frame::metadata_of(nodes.data(), nodes.size());
    const value::TreeView tree = {nodes.data(), frame.data()};
    status = frame::read_envelope(tree, meta, envelope);
    return status.ok() ? delivery::read_part(tree, meta, frame.size(), scratch.settings,
                                             scratch.arena, part, is_part)
                       : status;
}

// The frame of a record, where it may be a part: its seq is its own, and what it makes whole, or
// was refused with, is held no more.
Status Session::apply_frame(const Record &record, uint64_t place, Scratch &scratch) {
    accp_envelope envelope;
    delivery::MessagePart part;
    bool is_part = false;
    Status status = part_of(record.text, scratch, envelope, part, is_part);
    const bool refused = record.kind == RecordKind::kUsedUp;
    if (refused && status.failed()) return {};  // for that, perhaps
    if (status.failed() || !is_part) return status;
    const std::string_view agent = part.header.substr(1, part.header.find('>') - 1);
    const bool sent = record.kind == RecordKind::kPartSent || record.is_sent();
    if (!refused && !sent && part.header.substr(agent.size() + 1) == ">sync:state")
        inbox_.jump(agent, envelope.seq);
    else if (!refused) inbox_.advance(agent, envelope.seq, sent);
    Pending &pending = live_->pending;
    if (sent) return {};
    pending.kept = false;
    if (record.kind == RecordKind::kPartReceived)
        return hold_part(pending.parts, part, place, record.untrusted);
    if (pending.parts.completes(part)) pending.parts.drop(part);
    return {};
}

// Parts that a snapshot was made with.
Status Session::restore_parts(Scratch &scratch) {
    Pending &pending = live_->pending;
    for (size_t i = 0; i < pending.part_records.size(); ++i) {
        const uint64_t place = pending.part_records[i];
        Record record;
        accp_envelope envelope;
        delivery::MessagePart part;
        bool is_part = false;
        Status status = read_record(*store_, place, scratch, scratch.blob, record);
        if (status.ok()) status = part_of(record.text, scratch, envelope, part, is_part);
        if (status.code < 0) return status;
        if (status.failed() || !is_part)
            return fail(ACCP_ERR_CORRUPT, 0, "a part of a message is not there");
        status = hold_part(pending.parts, part, place, record.untrusted);
        if (status.failed()) return status;
    }
    pending.part_records.recycle(0);
    return {};
}

// Step 10 for a frame that may be a part, of a session that takes them: is it to be held (`held`),
// or the last of a message, whose frame then is scratch.text (`whole`)?
Status Session::join(Frame &frame, Scratch &scratch, bool &held, bool &whole) const {
    held = whole = false;
    if (!rules_.parts || !frame.is_part) return {};
    accp_envelope envelope;
    delivery::MessagePart part;
    bool is_part = false;
    Status status = part_of(frame.text, scratch, envelope, part, is_part);
    if (status.failed() || !is_part) return status;
    const delivery::PartialMessages &parts = live_->pending.parts;
    status = parts.check(part, scratch.settings.limit(ACCP_LIMIT_FRAME_BYTES));
    if (status.failed()) return move_to(status, part.place);
    whole = parts.completes(part);
    held = !whole;
    scratch.text.recycle(kKeptBytes);
    if (whole) parts.join(part, scratch.arena, scratch.text);
    if (whole && parts.tags(part) & kUntrustedTag) frame.arrival.untrusted = true;
    return {};
}

Status Session::take_part(const Frame &frame, Scratch &scratch) {
    Record record = {RecordKind::kPartReceived,
                     static_cast<uint64_t>(frame.arrival.now_ms),
                     live_->next_key,
                     0,
                     {},
                     {},
                     frame.text};
    record.untrusted = frame.arrival.untrusted;
    return keep(record, &frame.arrival, scratch);
}

// The frame that the parts of a message of ours are, into scratch.text.
Status Session::join_sent(std::string_view frames, Scratch &scratch) const {
    delivery::PartialMessages parts(scratch.memory);
    for (size_t at = 0; at < frames.size();) {
        const std::string_view frame = frames.substr(at, frames.find('\n', at) - at);
        accp_envelope envelope;
        delivery::MessagePart part;
        bool is_part = false;
        Status status = part_of(frame, scratch, envelope, part, is_part);
        if (status.ok() && !is_part)
            status = fail(ACCP_E9999, 0, "a frame of several that is no part");
        if (status.failed()) return status;
        scratch.text.recycle(kKeptBytes);
        if (parts.completes(part)) parts.join(part, scratch.arena, scratch.text);
        else parts.hold(part);
        at += frame.size() + 1;
    }
    return {};
}

Status Session::abandon(std::string_view cid, int64_t now_ms, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed() || !live_->pending.parts.holds(cid)) return status;
    return note({RecordKind::kAbandoned, static_cast<uint64_t>(now_ms), 0, 0, {}, {}, cid},
                scratch);
}

}  // namespace accp::session
