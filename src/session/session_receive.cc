// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: frames that come in, by the order of checks of docs/wire.md 8.
#include "base/text.h"
#include "message/write.h"
#include "registry/ontology.h"
#include "session/refs.h"
#include "session/session.h"

namespace accp::session {

namespace {

// A chain that was cancelled still hears of it, and may say that it has.
bool is_about_cancelling(std::string_view intent) { return intent == "ack" || intent == "cancel"; }

}  // namespace

// Steps 1, 2 and half of 3: the grammar, and the types of the envelope.
Status Session::read_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                           Frame &out) {
    const codec::Codec &codec = scratch.codec;
    Status status = scratch.codec.parse(text);
    if (status.failed()) return status;
    return describe({codec.tree().nodes, text.data()}, codec.meta(), text, now_ms, untrusted, out);
}

// The same for a frame of which no more is wanted, while another is being read.
Status Session::read_part_frame(std::string_view text, int64_t now_ms, bool untrusted,
                                Scratch &scratch, Frame &out) {
    scratch.nodes.recycle(kKeptBytes);
    Status status = scratch.codec.coder.parse(text.data(), text.size(), scratch.nodes);
    if (status.failed()) return status;
    const uint32_t meta = frame::metadata_of(scratch.nodes.data(), scratch.nodes.size());
    return describe({scratch.nodes.data(), text.data()}, meta, text, now_ms, untrusted, out);
}

Status Session::describe(value::TreeView tree, uint32_t meta, std::string_view text, int64_t now_ms,
                         bool untrusted, Frame &out) {
    out.text = text;
    out.payload = tree[frame::kPayload].offset;
    out.metadata = meta ? tree[meta].offset : static_cast<uint32_t>(text.size());
    out.is_part =
        meta && (tree.find(meta, delivery::kPartKey) || tree.find(meta, delivery::kPartsKey));
    const auto bytes = static_cast<uint32_t>(text.size());
    out.arrival = {tree.string(frame::kAgent),
                   tree.string(frame::kIntent),
                   tree.string(frame::kOperation),
                   {},
                   now_ms,
                   false,
                   bytes,
                   untrusted};
    out.arrival.known_intent = registry::find_intent(out.arrival.intent) >= 0;
    return frame::read_envelope(tree, meta, out.arrival.envelope);
}

Status Session::receive(std::string_view text, const Peer &peer, int64_t now_ms, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    status = release(now_ms, scratch);  // what an earlier call could not
    if (status.failed()) return status;
    Frame frame;
    delivery::Judgement judgement;
    status = read_frame(text, now_ms, peer.untrusted, scratch, frame);
    if (status.ok()) frame.arrival.mid_word = mid_word_of(frame.arrival);
    if (status.ok()) status = admit(frame.arrival, peer);
    if (status.failed()) return status;
    frame.arrival.untrusted = peer.untrusted || is_untrusted(frame.arrival.agent);
    status = inbox_.judge(frame.arrival, id(), *this, judgement);
    if (status.failed())
        return move_to(
            status, frame.arrival.known_intent ? frame.metadata : frame.arrival.agent.size() + 2);
    inbox_.prepare();
    if (judgement.verdict == delivery::Verdict::kWaits) return hold(frame, judgement.new_gap);
    if (judgement.verdict == delivery::Verdict::kDropped) {
        if (judgement.advances) status = use_up(frame, false, scratch);
        if (status.ok()) status = fail(ACCP_DROPPED, 0, "its time has passed");
    } else {
        if (judgement.resyncs) status = give_up_gap(frame, now_ms, scratch);
        if (status.ok()) status = take(frame, scratch);
    }
    if (status.code < 0) return status;
    Status safe = settle();
    return safe.failed() ? safe : status;
}

// Steps 9 to 11.
Status Session::take(Frame &frame, Scratch &scratch) {
    const accp_envelope &envelope = frame.arrival.envelope;
    bool covered = false;
    Status status = is_about_cancelling(frame.arrival.intent)
                        ? Status{}
                        : is_cancelled(envelope, scratch, covered);
    if (status.failed()) return status;
    if (covered) return refuse(frame, fail(ACCP_DROPPED, 0, "its chain was cancelled"), scratch);
    bool held = false, whole = false;
    status = join(frame, scratch, held, whole);
    if (status.ok() && held) return take_part(frame, scratch);
    if (status.ok() && whole)
        status = scratch.codec.parse({scratch.text.data(), scratch.text.size()});
    message::Message message;
    if (status.ok())
        status =
            decode(Owner::kPeer, frame.arrival.untrusted, frame.arrival.now_ms, scratch, message);
    if (status.ok()) status = check(message, frame, scratch);
    if (status.ok()) status = move_to(write_json(message, scratch), frame.payload);
    if (status.failed() && whole) status.offset = 0;  // of what came in, no byte is at fault
    if (status.failed()) return is_refused(status) ? refuse(frame, status, scratch) : status;
    const Delivery delivery = {ACCP_OK,
                               envelope.seq,
                               {scratch.json.data(), scratch.json.size()},
                               to_view(envelope.mid),
                               to_view(envelope.cid),
                               nullptr,
                               frame.arrival.untrusted};
    deliveries_.reserve(1, delivery.bytes());
    Record record = {RecordKind::kReceived,
                     static_cast<uint64_t>(frame.arrival.now_ms),
                     live_->next_key,
                     0,
                     {},
                     kept_message(whole, scratch),
                     frame.text};
    record.untrusted = frame.arrival.untrusted;
    status = keep(record, &frame.arrival, scratch, &message);
    if (status.failed()) return status;
    deliveries_.add(delivery);
    return {};
}

// What applying could find wrong with a message, before anything is applied.
Status Session::check(const message::Message &message, const Frame &frame, Scratch &scratch) {
    Status status;
    if (message.intent == "cancel") status = message::check_chain(message);
    else if (message.is_state())
        status =
            live_->state.apply(message.tree, message.payload, rules_.inbox.jump, scratch.state);
    return move_to(status, frame.payload);
}

// Dropped or refused at steps 9 and 10: its sequence number and its mid are used up, or the gap
// would never close.
Status Session::refuse(const Frame &frame, const Status &why, Scratch &scratch) {
    Status status = use_up(frame, true, scratch);
    return status.ok() ? why : status;
}

Status Session::use_up(const Frame &frame, bool seen, Scratch &scratch) {
    const accp_envelope &envelope = frame.arrival.envelope;
    Record record = {RecordKind::kUsedUp,
                     static_cast<uint64_t>(frame.arrival.now_ms),
                     live_->next_key,
                     envelope.seq,
                     frame.arrival.agent,
                     {},
                     seen ? frame.text : std::string_view()};
    return keep(record, seen ? &frame.arrival : nullptr, scratch);
}

// What is kept beside its frame.
std::string_view Session::kept_message(bool in_parts, const Scratch &scratch) const {
    return fleeting_ || in_parts ? std::string_view(scratch.json.data(), scratch.json.size())
                                 : std::string_view();
}

// The message of the frame that was parsed last. What its refs stood for, and may not stand for
// later, makes it fleeting.
Status Session::decode(Owner owner, bool untrusted, int64_t now_ms, Scratch &scratch,
                       message::Message &out) {
    SessionRefs refs(*this, scratch, now_ms, owner);
    Status status = scratch.codec.decode_parsed({&refs, untrusted}, out);
    fleeting_ = refs.fleeting();
    const bool lost =
        status.code == ACCP_E2001 || status.code == ACCP_E2002 || status.code == ACCP_E2003;
    if (!lost || !scratch_restores_) return status;
    // What has expired since stays a ref, as JSON spells one.
    status = scratch.codec.decode_parsed({nullptr, untrusted}, out);
    if (status.ok()) status = write_json(out, scratch);
    return status.ok() ? read_message({scratch.json.data(), scratch.json.size()}, scratch, out)
                       : status;
}

// Into scratch.json, where it is no longer than what is read.
Status Session::write_json(const message::Message &message, Scratch &scratch) {
    scratch.json.recycle(kKeptBytes);
    message::write_json(message, scratch.json);
    const uint64_t max = scratch.settings.limit(ACCP_LIMIT_JSON_BYTES);
    if (scratch.json.size() <= max) return {};
    return fail(ACCP_E1001, 0, "the message's JSON is longer than the limit json_bytes allows");
}

// Was it ever taken? What waits is the inbox's own to know.
Status Session::has(const delivery::Arrival &frame, bool &seen) {
    return store_->has_mid_word(frame.mid_word, seen);
}

}  // namespace accp::session
