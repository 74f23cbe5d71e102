// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See core.h: what records do to chains, requests and parts of messages. Each part is a frame with
// a mid and a seq of its own, and a record of its own; the record of the part that makes its
// message whole has the message too, so that applying it again needs no other.
#include "base/text.h"
#include "session/core.h"
#include "session/frames.h"

namespace accp::session {

namespace {

bool is_answer(std::string_view intent) {
    return intent == "done" || intent == "fail" || intent == "ack";
}

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

// What a message that came or went does to chains and requests.
Status Core::apply_pending(const Record &record, uint64_t place, const message::Message &message) {
    const std::string_view cid = message.meta_text("cid");
    bool changed = false;
    Status status;
    if (message.intent == "cancel" && !message.chain().empty()) {
        const bool is_peers =
            record.kind == RecordKind::kReceived ||
            (record.kind == RecordKind::kMessage && (record.untrusted || message.untrusted));
        changed = pending.chains.add(message.chain(), message.agent, !is_peers);
        changed = pending.requests.answer(to_text(message.chain())) || changed;
        pending.abandon(message.chain());
    }
    if (message.intent == "ack") changed = pending.chains.set_done(cid);
    if (record.kind == RecordKind::kRequest) {
        const auto timeout_ms = static_cast<int64_t>(record.timeout_ms);
        const std::string_view chain = cid.empty() ? message.meta_text("mid") : cid;
        status = pending.requests.start(
            {to_text(chain), delivery::later(static_cast<int64_t>(record.time_ms), timeout_ms),
             timeout_ms, place});
        changed = true;
    }
    if (record.kind == RecordKind::kReceived && !cid.empty() && pending.requests.waiting()) {
        if (is_answer(message.intent)) changed = pending.requests.answer(to_text(cid)) || changed;
        else if (message.intent == "wait")
            changed = pending.requests.wait(to_text(cid), static_cast<int64_t>(record.time_ms));
    }
    if (changed) pending.kept = false;
    return status;
}

void Core::note_cause(const accp_envelope &envelope, uint64_t place) {
    if (causes.is_complete()) causes.add(pending.cause_of(envelope, place));
}

void Core::expire_until(int64_t now_ms, const Effects &effects) {
    Packer expired(effects.scratch.log.expired);
    for (delivery::Deadlines::Request request; pending.requests.expire(now_ms, request);) {
        pending.kept = false;
        if (effects.restores) continue;
        expired.number(request.record);
        expired.text(to_view(request.cid));
    }
}

// The frame of a record, where it may be a part: its seq is its own, and what it makes whole, or
// was refused with, is held no more.
Status Core::apply_frame(const Record &record, uint64_t place, Scratch &scratch) {
    PartFrame frame;
    Status status = read_part(record.text, scratch, frame);
    const bool refused = record.kind == RecordKind::kUsedUp;
    // it was refused for that, perhaps; or nobody takes parts, and this is metadata as any other
    if (status.code > 0 && !record.is_part()) return {};
    if (status.failed() || !frame.is_part) return status;
    const delivery::MessagePart &part = frame.part;
    const std::string_view agent = part.header.substr(1, part.header.find('>') - 1);
    const bool sent = record.kind == RecordKind::kPartSent || record.is_sent();
    if (!refused && !sent && part.header.substr(agent.size() + 1) == ">sync:state")
        inbox_.jump(agent, frame.envelope.seq);
    else if (!refused) inbox_.advance(agent, frame.envelope.seq, sent);
    if (sent) return {};
    pending.kept = false;
    if (record.kind == RecordKind::kPartReceived)
        return hold_part(pending.parts, part, place, record.untrusted);
    if (pending.parts.completes(part)) pending.parts.drop(part);
    return {};
}

Status Core::restore_part(const Record &record, uint64_t place, Scratch &scratch) {
    PartFrame frame;
    Status status = read_part(record.text, scratch, frame);
    if (status.code < 0) return status;
    if (status.failed() || !frame.is_part)
        return fail(ACCP_ERR_CORRUPT, 0, "a part of a message is not there");
    return hold_part(pending.parts, frame.part, place, record.untrusted);
}

}  // namespace accp::session
