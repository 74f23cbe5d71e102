// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Received frames whose turn it is.
#include "session/inflow.h"

#include "base/text.h"
#include "frame/envelope.h"
#include "registry/ontology.h"

namespace accp::session {

namespace {

Record record_of(RecordKind kind, const Frame &frame, const Core &core) {
    Record record = core.new_record(kind, frame.arrival.now_ms);
    record.text = frame.text;
    record.untrusted = frame.arrival.untrusted;
    return record;
}

// The offset of an envelope field in the frame. If the field is missing, the end of the metadata.
uint64_t offset_of_field(uint64_t bit, const Frame &frame, const codec::Codec &codec) {
    for (const frame::EnvelopeField &field : frame::kEnvelope) {
        const uint32_t node =
            field.bit == bit && codec.meta() ? codec.tree().find(codec.meta(), field.key) : 0;
        if (node) return codec.tree()[node].offset;
    }
    return frame.text.size() - (codec.meta() != 0);
}

// The offset in the frame of a failure of Inbox::check().
uint64_t offset_of_refusal(const Status &refused, const Frame &frame, const codec::Codec &codec) {
    if (refused.code == ACCP_E1002) return frame.arrival.agent.size() + 2;
    return refused.offset ? offset_of_field(refused.offset, frame, codec) : 1;
}

// The offset in the frame of the payload member that contains this node; otherwise of the payload.
uint64_t offset_of_member(uint64_t node, const message::Message &message,
                          const codec::Codec &codec) {
    const value::TreeView frame = codec.tree(), tree = message.tree;
    uint32_t found = 0;
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; i = tree[i].next)
        if (i <= node && node < tree[i].next) {
            found = frame.find(frame::kPayload, tree.key(i));
            if (!found)
                found = frame.find(frame::kPayload, registry::find_abbreviation(tree.key(i)));
        }
    return frame[found ? found : uint32_t{frame::kPayload}].offset;
}

}  // namespace

Status Inflow::receive(std::string_view text, const Peer &peer, int64_t now_ms, Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    if (status.ok())
        status = release_first(now_ms, scratch);  // what an earlier call could not release
    if (status.ok()) status = receive_now(text, peer, now_ms, scratch);
    return driver_.finish(status);
}

Status Inflow::receive_now(std::string_view text, const Peer &peer, int64_t now_ms,
                           Scratch &scratch) {
    Frame frame;
    delivery::InboxResult result;
    Status status = driver_.rules.check_agreed();
    if (status.ok()) status = read_frame(text, now_ms, peer.untrusted, scratch, frame);
    if (status.ok()) frame.arrival.mid_word = mid_word_of(frame.arrival);
    if (status.ok()) status = check_sender(frame.arrival, peer);
    if (status.failed()) return status;
    frame.arrival.untrusted = peer.untrusted || driver_.hooks.is_untrusted(frame.arrival.agent);
    status = check_order(frame, scratch, result);
    if (status.failed()) return move_to(status, offset_of_refusal(status, frame, scratch.codec));
    driver_.inbox.prepare();
    if (result.verdict == delivery::Verdict::kWaits) return hold(frame, result.new_gap);
    if (result.verdict == delivery::Verdict::kDropped) {
        if (result.advances) status = use_up_seq(frame, false, scratch);
        return status.ok() ? fail(ACCP_DROPPED, 0, "its ttl has passed") : status;
    }
    if (result.resyncs) status = close_gap_before(frame, now_ms, scratch);
    return status.ok() ? process(frame, scratch) : status;
}

// Checks that the peer may send under this name. The offset of a failure is the agent's name.
Status Inflow::check_sender(const delivery::Arrival &frame, const Peer &peer) {
    if (driver_.core().is_own_agent(frame.agent)) {
        bool seen = false;
        Status status = driver_.contains(frame, seen);
        if (status.failed()) return status;
        if (seen) return fail(ACCP_E3002, 1, "this frame was sent by the host itself");
        return fail(ACCP_E5001, 1,
                    "its agent belongs to the host: a received frame must come from another agent");
    }
    const Status status = peer.check(frame.agent);
    return status.ok() ? status : move_to(status, 1);
}

// Steps 9 to 11 of docs/wire.md 8.
Status Inflow::process(Frame &frame, Scratch &scratch) {
    bool cancelled = false, held = false, whole = false;
    Status status = is_cancelled(frame.arrival, scratch, cancelled);
    if (status.failed()) return status;
    if (cancelled) return refuse(frame, fail(ACCP_DROPPED, 0, "its chain was cancelled"), scratch);
    status = join_part(frame, scratch, held, whole);
    if (status.ok() && held) return store_part(frame, scratch);
    FrameRefs refs = driver_.refs(scratch, frame.arrival.now_ms, FrameOrigin::kPeer);
    message::Message message;
    if (status.ok()) status = decode_message(frame, refs, scratch, message);
    if (status.failed() && whole) status.offset = 0;  // the fault is not in this frame
    if (status.failed()) return is_refused(status) ? refuse(frame, status, scratch) : status;
    return store_message(frame, message, refs.has_changeable_refs() || whole, scratch);
}

// Step 10 for a frame that may be a part. `held`: the part must wait for others. `whole`: it
// completes its message, whose frame is then in scratch.codec. The message is untrusted if one of
// its parts is.
Status Inflow::join_part(Frame &frame, Scratch &scratch, bool &held, bool &whole) const {
    if (!driver_.takes_parts() || !frame.is_part) return {};
    PartFrame read;
    Status status = read_part(frame.text, scratch, read);
    if (status.failed() || !read.is_part) return status;
    const delivery::PartialMessages &parts = driver_.core().pending.parts;
    status = parts.check(read.part, scratch.settings.limit(ACCP_LIMIT_FRAME_BYTES));
    if (status.failed()) return move_to(status, read.part.offset);
    whole = parts.completes(read.part);
    held = !whole;
    if (!whole) return {};
    Buffer<char> &joined = scratch.frames.joined;
    joined.recycle(kKeptBytes);
    parts.join(read.part, scratch.frames.arena, joined);
    if (parts.tags(read.part) & kUntrustedTag) frame.arrival.untrusted = true;
    return scratch.codec.parse(joined.view());
}

Status Inflow::store_part(const Frame &frame, Scratch &scratch) {
    return driver_.append_record(record_of(RecordKind::kPartReceived, frame, driver_.core()),
                                 &frame.arrival, scratch);
}

// Decodes the frame in scratch.codec and writes its JSON to scratch.json.out, for store_message().
Status Inflow::decode_message(const Frame &frame, FrameRefs &refs, Scratch &scratch,
                              message::Message &out) {
    Status status = decode(refs, frame.arrival.untrusted, true, scratch, out);
    if (status.ok()) {
        status = driver_.core().check(out, scratch);
        if (status.failed())
            status.offset = out.is_state()
                                ? offset_of_member(status.offset, out, scratch.codec)
                                : offset_of_field(ACCP_ENVELOPE_CID, frame, scratch.codec);
    }
    return status.ok() ? move_to(write_message(out, scratch), frame.payload) : status;
}

// `with_json`: also store the JSON in the record, because the frame alone does not determine it.
Status Inflow::store_message(const Frame &frame, const message::Message &message, bool with_json,
                             Scratch &scratch) {
    const delivery::Arrival &arrival = frame.arrival;
    const std::string_view json = scratch.json.out.view();
    const Delivery delivery = {ACCP_OK,
                               arrival.envelope.seq,
                               json,
                               to_view(arrival.envelope.mid),
                               to_view(arrival.envelope.cid),
                               nullptr,
                               message.untrusted,
                               scratch.codec.warnings()};
    deliveries_.reserve(1, delivery.bytes());
    Record record = record_of(RecordKind::kReceived, frame, driver_.core());
    record.untrusted = message.untrusted;
    if (with_json) record.json = json;
    Status status = driver_.append_record(record, &arrival, scratch, &message);
    if (status.ok()) deliveries_.add(delivery);
    return status;
}

// Drops or refuses a frame at steps 9 and 10. Its sequence number and mid are used up; otherwise
// the gap would stay open.
Status Inflow::refuse(const Frame &frame, const Status &why, Scratch &scratch) {
    Status status = use_up_seq(frame, true, scratch);
    return status.ok() ? why : status;
}

// Records that the frame's seq is used. With `keeps_mid` also its mid and text.
Status Inflow::use_up_seq(const Frame &frame, bool keeps_mid, Scratch &scratch) {
    Record record = record_of(RecordKind::kUsedUp, frame, driver_.core());
    record.seq = frame.arrival.envelope.seq;
    record.agent = frame.arrival.agent;
    record.untrusted = false;
    if (!keeps_mid) record.text = {};
    return driver_.append_record(record, keeps_mid ? &frame.arrival : nullptr, scratch);
}

Status Inflow::remove_parts(std::string_view cid, int64_t now_ms, Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    if (status.failed() || !driver_.core().pending.parts.holds(cid)) return status;
    Record record = driver_.core().new_record(RecordKind::kAbandoned, now_ms);
    record.text = cid;
    status = driver_.append_record(record, nullptr, scratch);
    return driver_.finish(status);
}

// Checks whether a frame belongs to a cancelled chain. The causes are read from the log.
Status Inflow::is_cancelled(const delivery::Arrival &frame, Scratch &scratch, bool &out) {
    const Core &core = driver_.core();
    const delivery::CancelledChains &chains = core.pending.chains;
    const accp_envelope &envelope = frame.envelope;
    out = false;
    // acknowledgements and cancels of a cancelled chain still pass
    if (chains.empty() || frame.intent == "ack" || frame.intent == "cancel") return {};
    if (envelope.fields & ACCP_ENVELOPE_AID && !core.causes.is_complete())
        if (Status status = find_causes(scratch); status.failed()) return status;
    const uint64_t last = driver_.last_record();
    out = chains.covers(envelope, core.causes, last > kMaxLookback ? last - kMaxLookback : 0);
    return {};
}

// Reads the newest records first, up to the limits of count and size.
Status Inflow::find_causes(Scratch &scratch) {
    Core &core = driver_.core();
    Buffer<delivery::CauseIndex::Cause> found(scratch.memory);
    const store::StoreRecords &records = scratch.log.records;
    size_t read = 0;
    uint64_t last = driver_.last_record();
    const uint64_t after = last > kMaxLookback ? last - kMaxLookback : 0;
    while (last > after && read < kMaxCauseBytes) {
        Status status =
            driver_.store().scan(after + 1, last, true, kScanBytes, scratch.log.records);
        if (status.failed()) return status;
        if (!records.size()) break;
        for (size_t i = 0; i < records.size(); ++i) {
            const store::StoreRecords::Record stored = records[i];
            Record record;
            accp_envelope envelope;
            last = stored.seq - 1;
            read += stored.bytes.size();
            if (!read_record(stored.bytes, record) || !record.is_frame()) continue;
            if (read_envelope(record.text, scratch, envelope))
                found.push(core.pending.cause_of(envelope, stored.seq));
        }
    }
    for (size_t i = found.size(); i > 0; --i) core.causes.add(found[i - 1]);
    core.causes.set_complete();
    return {};
}

}  // namespace accp::session
