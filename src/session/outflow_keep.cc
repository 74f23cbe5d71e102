// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See outflow.h: before a frame is handed out it is decoded as the peer will decode it, so that
// both have the same message, and it is recorded.
#include "session/outflow.h"

namespace accp::session {

namespace {

bool is_request(std::string_view intent) { return intent == "req" || intent == "qry"; }

}  // namespace

Status Outflow::keep(const Sent &sent, Scratch &scratch) {
    Frame frame;
    message::Message message;
    FrameRefs refs = driver_.refs(scratch, sent.now_ms, Owner::kOurs);
    Status status = read(sent, scratch, frame);
    if (status.ok()) status = speak_as(frame.arrival.agent);
    bool cancelled = false;
    if (status.ok()) status = inflow_.is_cancelled(frame.arrival, scratch, cancelled);
    if (cancelled) return fail(ACCP_DROPPED, 0, "its chain was cancelled: nothing of it goes out");
    if (status.ok()) status = decode(refs, sent.untrusted, false, scratch, message);
    if (status.ok()) status = move_to(driver_.core().check(message, scratch), frame.payload);
    const bool with_json = sent.in_parts || refs.fleeting();
    if (status.ok() && (with_json || driver_.hooks.log)) status = write_message(message, scratch);
    if (status.failed()) return status;
    const Buffer<char> &json = scratch.json.out;
    return keep_records(sent, {json.data(), with_json ? json.size() : 0}, message, frame, scratch);
}

// Reads the last frame of `sent` into `out`. Of parts, scratch.codec then has the joined frame.
Status Outflow::read(const Sent &sent, Scratch &scratch, Frame &out) const {
    if (!sent.in_parts) {
        Status status = read_frame(sent.frames, sent.now_ms, sent.untrusted, scratch, out);
        out.arrival.mid_word = sent.mid_word;
        return status;
    }
    Status status = join_parts(sent.frames, scratch);
    if (status.ok())
        status = read_sent_frame(sent.last(), sent.now_ms, sent.untrusted, scratch, out);
    const Buffer<char> &joined = scratch.frames.joined;
    return status.ok() ? scratch.codec.parse(joined.view()) : status;
}

// Writes a record for each frame; the last has the message. Of parts, `frame` is overwritten.
Status Outflow::keep_records(const Sent &sent, std::string_view json,
                             const message::Message &message, Frame &frame, Scratch &scratch) {
    const bool waits = driver_.rules.deadline_ms && is_request(frame.arrival.intent);
    Status status;
    if (waits)
        status = driver_.core().pending.requests.may_start(
            to_text(delivery::chain_of(frame.arrival.envelope)));
    Effects effects = {scratch};
    uint64_t place = driver_.last();
    for (size_t at = 0; status.ok() && at < sent.frames.size();) {
        const std::string_view text = sent.frames.substr(at, sent.frames.find('\n', at) - at);
        at += text.size() + 1;
        const bool ends = at > sent.frames.size();
        if (sent.in_parts)
            status = read_sent_frame(text, sent.now_ms, sent.untrusted, scratch, frame);
        if (status.failed()) break;
        const RecordKind kind = !ends   ? RecordKind::kPartSent
                                : waits ? RecordKind::kRequest
                                        : RecordKind::kSent;
        Record record = driver_.core().new_record(kind, sent.now_ms);
        record.next_key = sent.next_key;
        record.text = text;
        if (ends) record.json = json;
        record.timeout_ms = driver_.rules.deadline_ms;
        record.untrusted = sent.untrusted || message.untrusted;
        status = driver_.add(record, &frame.arrival, ++place, effects, ends ? &message : nullptr);
    }
    return status.ok() ? driver_.write(place, effects) : status;
}

// May a frame go out under this name, which then becomes the host's own?
Status Outflow::speak_as(std::string_view agent) const {
    const NameSet &own = driver_.core().own_agents;
    const size_t bytes = own.text().size() + agent.size() + 1;
    if (own.has(agent) || bytes <= kMaxOwnAgentBytes) return {};
    return fail_limit(
        bytes, kMaxOwnAgentBytes,
        "too many bytes of names of agents that this session sends as: send as fewer");
}

}  // namespace accp::session
