// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: frames that come in, by the order of checks of WIRE.md section 8.
#include "registry/ontology.h"
#include "session/refs.h"
#include "session/session.h"

namespace accp {

namespace {

constexpr const char *kMissing = "frames before this one are missing";
constexpr const char *kPassed = "a frame of ours has this seq";

// A chain that was cancelled still hears of it, and may say that it has.
bool is_about_cancelling(std::string_view intent) { return intent == "ack" || intent == "cancel"; }

bool is_refused(const Status &status) { return status.code > ACCP_HELD; }

// The metadata of a parsed frame; 0: it has none.
uint32_t metadata_of(const Buffer<Node> &nodes) { return nodes[kPayload].next < nodes.size() ? nodes[kPayload].next : 0; }

}  // namespace

// Steps 1, 2 and half of 3: the grammar, and the types of the envelope.
Status Session::read_frame(std::string_view text, int64_t now_ms, Desk &desk, Frame &out) const {
    desk.nodes.recycle(kKeptBytes);
    Status status = desk.codec.coder.parse(text.data(), text.size(), desk.nodes);
    if (status.failed()) return status;
    TreeView tree = {desk.nodes.data(), text.data()};
    const uint32_t meta = metadata_of(desk.nodes);
    out.text = text;
    out.payload = tree[kPayload].offset;
    out.metadata = meta ? tree[meta].offset : static_cast<uint32_t>(text.size());
    out.is_part = meta && (tree.find(meta, kPartKey) || tree.find(meta, kPartsKey));
    out.arrival = {tree.string(kAgent), tree.string(kIntent), tree.string(kOperation), {}, now_ms, false};
    out.arrival.known_intent = find_intent(out.arrival.intent) >= 0;
    return read_envelope(tree, meta, out.arrival.envelope);
}

Status Session::receive(std::string_view text, int64_t now_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    status = release(now_ms, desk);  // what an earlier call could not
    if (status.failed()) return status;
    Frame frame;
    Judgement judgement;
    status = read_frame(text, now_ms, desk, frame);
    if (status.failed()) return status;
    status = inbox_.judge(frame.arrival, id(), *this, judgement);
    if (status.failed())
        return fail(status.code, frame.arrival.known_intent ? frame.metadata : frame.arrival.agent.size() + 2, status.message);
    inbox_.prepare(frame.arrival.agent);
    if (judgement.verdict == Verdict::kWaits) return hold(frame, judgement.new_gap);
    if (judgement.verdict == Verdict::kDropped) {
        if (judgement.advances) status = use_up(frame, false, desk);
        if (status.ok()) status = fail(ACCP_DROPPED, 0, "its time has passed");
    } else {
        if (judgement.resyncs) status = give_up_gap(frame, now_ms, desk);
        if (status.ok()) status = take(frame, desk);
    }
    if (status.code < 0) return status;
    Status safe = settle();
    return safe.failed() ? safe : status;
}

// A state has come that closes a gap: what waits below it is applied, whatever is missing.
Status Session::give_up_gap(Frame &frame, int64_t now_ms, Desk &desk) {
    for (;;) {
        Inbox::Waiting waiting = inbox_.below(frame.arrival.agent, frame.arrival.envelope.seq);
        if (waiting.text.empty()) return read_frame(frame.text, now_ms, desk, frame);
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

// Steps 9 to 11.
Status Session::take(const Frame &frame, Desk &desk) {
    const accp_envelope &envelope = frame.arrival.envelope;
    bool covered = false;
    Status status = is_about_cancelling(frame.arrival.intent) ? Status{} : live_->pending.chains.covers(envelope, *this, covered);
    if (status.failed()) return is_refused(status) ? refuse(frame, status, desk) : status;
    if (covered) return refuse(frame, fail(ACCP_DROPPED, 0, "its chain was cancelled"), desk);
    bool held = false, whole = false;
    status = join(frame, desk, held, whole);
    if (status.ok() && held) return take_part(frame, desk);
    const std::string_view text = whole ? std::string_view(desk.text.data(), desk.text.size()) : frame.text;
    if (status.ok()) status = decode(text, frame.arrival.now_ms, desk);
    if (status.ok()) status = check(frame, desk);
    if (status.failed() && whole) status.offset = 0;  // of what came in, no byte is at fault
    if (status.failed()) return is_refused(status) ? refuse(frame, status, desk) : status;
    delivered_.room(desk.json.size() + kMostDelivery);
    Record record = {
        RecordKind::kReceived, static_cast<uint64_t>(frame.arrival.now_ms), live_->next_key, 0, {}, kept_message(whole, desk), frame.text};
    status = keep(record, {envelope.mid.text, envelope.mid.len}, desk);
    if (status.failed()) return status;
    deliver(ACCP_OK, envelope.seq, {desk.json.data(), desk.json.size()}, nullptr);
    return {};
}

// What applying could find wrong with the message in desk.json, before anything is applied.
Status Session::check(const Frame &frame, Desk &desk) {
    const bool cancels = frame.arrival.intent == "cancel";
    if (!cancels && frame.arrival.intent != "sync") return {};
    MessageView message;
    Status status = read_message({desk.json.data(), desk.json.size()}, desk, message);
    if (status.ok() && cancels) status = live_->pending.chains.may_add(message.chain());
    if (status.ok() && message.is_state()) status = live_->state.apply(message.tree, message.payload, desk.state);
    return status.failed() ? fail(status.code, frame.payload, status.message) : status;
}

// Dropped or refused at steps 9 and 10: its sequence number and its mid are used up, or the gap would never close.
Status Session::refuse(const Frame &frame, const Status &why, Desk &desk) {
    Status status = use_up(frame, true, desk);
    return status.ok() ? why : status;
}

Status Session::use_up(const Frame &frame, bool seen, Desk &desk) {
    const accp_envelope &envelope = frame.arrival.envelope;
    Record record = {RecordKind::kUsedUp,
                     static_cast<uint64_t>(frame.arrival.now_ms),
                     live_->next_key,
                     envelope.seq,
                     frame.arrival.agent,
                     {},
                     seen ? frame.text : std::string_view()};
    return keep(record, seen ? std::string_view(envelope.mid.text, envelope.mid.len) : std::string_view(), desk);
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
    Status status = read_frame(waiting.text, now_ms, desk, frame);
    if (status.ok()) status = take(frame, desk);
    if (status.code < 0) return status;
    if (is_refused(status)) deliver(status.code, waiting.seq, {}, status.message);
    inbox_.drop(waiting.agent, waiting.seq);
    return {};
}

// What is kept beside its frame.
std::string_view Session::kept_message(bool in_parts, const Desk &desk) const {
    return fleeting_ || in_parts ? std::string_view(desk.json.data(), desk.json.size()) : std::string_view();
}

Status Session::decode(std::string_view text, int64_t now_ms, Desk &desk) {
    SessionRefs refs(*this, desk, now_ms);
    desk.codec.setup.resolver = &refs;
    desk.json.recycle(kKeptBytes);
    Status status = desk.codec.decode(text.data(), text.size(), desk.json);
    desk.codec.setup.resolver = nullptr;
    fleeting_ = refs.fleeting();
    const bool lost = status.code == ACCP_E2001 || status.code == ACCP_E2002 || status.code == ACCP_E2003;
    if (!lost || !desk_restores_) return status;
    return desk.codec.decode(text.data(), text.size(), desk.json);  // what has expired since stays a ref
}

void Session::deliver(accp_status status, int64_t seq, std::string_view json, const char *reason) {
    Packer packer(delivered_);
    packer.number(static_cast<uint64_t>(status));
    packer.number(static_cast<uint64_t>(seq));
    packer.number(reinterpret_cast<uintptr_t>(reason));
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
    out.json = unpacker.text();
    place = delivered_.size() - unpacker.rest().size();
    return true;
}

// Was it ever taken? What waits is the inbox's own to know.
Status Session::has(std::string_view mid, bool &seen) { return store_->has_mid(mid, seen); }

// The newest frames first: a cause is nearly always a recent one.
Status Session::find(std::string_view mid, bool &found, Ancestry::Frame &out) {
    Desk &desk = *desk_;
    uint64_t last = store_->row().last, least = last > kMostLookback ? last - kMostLookback : 0;
    while (last > least) {
        Status status = store_->scan(least + 1, last, true, kScanBytes, desk.records);
        if (status.failed()) return status;
        for (size_t i = 0; i < desk.records.size(); ++i) {
            Record record;
            last = desk.records[i].seq - 1;
            if (!accp::read_record(desk.records[i].bytes, record) || !record.is_frame()) continue;
            desk.ancestor_nodes.clear();
            accp_envelope envelope;
            status = desk.codec.coder.parse(record.text.data(), record.text.size(), desk.ancestor_nodes);
            if (status.failed()) continue;
            TreeView tree = {desk.ancestor_nodes.data(), record.text.data()};
            status = read_envelope(tree, metadata_of(desk.ancestor_nodes), envelope);
            found = status.ok() && std::string_view(envelope.mid.text, envelope.mid.len) == mid;
            if (found) out = {{envelope.cid.text, envelope.cid.len}, {envelope.aid.text, envelope.aid.len}};
            if (found) return {};
        }
        if (!desk.records.size()) break;
    }
    return {};
}

}  // namespace accp
