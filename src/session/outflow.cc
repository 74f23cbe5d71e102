// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/outflow.h"

#include "base/text.h"
#include "frame/envelope.h"
#include "value/json_writer.h"

namespace accp::session {

Status MidGenerator::next(store::StoreSession &store, std::string_view agent, char *mid,
                          uint64_t &word) {
    for (bool seen = true; seen;) {
        if (!frame::format_mid(letter_, issuer_, permuted_(count_++ % counters_), mid))
            return fail(ACCP_ERR_ARG, 0, "an issuer is from 0 to 99");
        word = store::mid_word(agent, {mid, kMidBytes});
        Status status = store.has_mid_word(word, seen);
        if (status.failed()) return status;
    }
    return {};
}

// Sends messages as frames.

// The envelopes of the second and later parts: the next mids and seqs.
class Outflow::PartEnvelopes final : public codec::EnvelopeSource {
public:
    PartEnvelopes(Driver &driver, MidGenerator &mids, std::string_view agent)
        : driver_(driver), mids_(mids), agent_(agent) {}

    Status next(accp_envelope &envelope) override {
        Status status = driver_.inbox.may_send(agent_, ++count_ + 1);
        if (status.failed()) return status;
        envelope.mid = {mid_, kMidBytes};
        envelope.seq += count_;
        uint64_t word = 0;
        return mids_.next(driver_.store(), agent_, mid_, word);
    }

private:
    Driver &driver_;
    MidGenerator &mids_;
    std::string_view agent_;
    char mid_[kMidBytes];
    int64_t count_ = 0;
};

// Applies waiting frames that became ready with the last sent frame (if both sides share a count).
// This is done at the start of the next call, because the record of the sent frame must be the
// newest when send() returns. The new deliveries may overwrite the texts of this call, so the texts
// are copied first.
Status Outflow::release_waiting_first(int64_t now_ms, Scratch &scratch,
                                      std::initializer_list<std::string_view *> texts,
                                      Buffer<char> &copies) {
    if (!inflow_.has_ready()) return {};
    size_t size = 0;
    for (const std::string_view *text : texts) size += text->size();
    copies.reserve(size);
    for (std::string_view *text : texts) {
        const char *copy = copies.end();
        copies.append(text->data(), text->size());
        *text = {copy, text->size()};
    }
    return inflow_.release_first(now_ms, scratch);
}

Status Outflow::send(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = prepare_write(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = release_waiting_first(now_ms, scratch, {&json}, copies);
    if (status.ok()) status = send_now(json, {}, now_ms, scratch, out);
    return driver_.finish(status);
}

Status Outflow::reply(std::string_view request, std::string_view json, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out) {
    Status status = prepare_write(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = release_waiting_first(now_ms, scratch, {&request, &json}, copies);
    message::Message request_message;
    message::ReplyTo to;
    if (status.ok()) status = move_to(read_message(request, scratch, request_message), 0);
    if (status.ok()) status = message::read_reply_to(request_message, to);
    if (status.ok()) status = send_now(json, to, now_ms, scratch, out);
    return driver_.finish(status);
}

// `to`: the request that the message answers, or empty; views of scratch.json.
Status Outflow::send_now(std::string_view json, const message::ReplyTo &to, int64_t now_ms,
                         Scratch &scratch, Buffer<char> &out) {
    message::Message message;
    Address address;
    frame::Coder &coder = scratch.codec.coder;
    Status status = driver_.rules.check_agreed();
    if (status.failed()) return status;
    coder.operation = to.operation;
    status = coder.read_message(json.data(), json.size(), message);
    coder.operation = {};
    if (status.ok()) status = next_address(message.agent, now_ms, address);
    if (status.failed()) return status;
    if (to.cid.len) to.put(address.envelope);
    const bool untrusted = message.untrusted || driver_.hooks.is_untrusted(message.agent);
    driver_.inbox.prepare();
    FrameRefs refs = driver_.refs(scratch, now_ms, FrameOrigin::kOwn);
    refs.keep_untrusted(untrusted);
    const size_t start = out.size();
    status = encode(message, json, address, refs, scratch, out);
    const codec::Codec &codec = scratch.codec;
    const accp_outcome outcome = {codec.parts(), codec.kept(), codec.warnings(), 0};
    if (status.ok())  // a failure here is at no byte of the JSON
        status = move_to(record_sent({{out.data() + start, out.size() - start},
                                      refs.next_key(),
                                      address.mid_word,
                                      untrusted,
                                      now_ms},
                                     scratch),
                         0);
    if (status.failed()) out.resize_down(start);
    else outcome_ = outcome;
    return status;
}

// Fills in the next mid and seq of this agent.
Status Outflow::next_address(std::string_view agent, int64_t now_ms, Address &out) {
    Status status = driver_.inbox.may_send(agent, 1);
    if (status.ok()) status = mids_.next(driver_.store(), agent, out.mid, out.mid_word);
    accp_envelope &envelope = out.envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    envelope.mid = {out.mid, kMidBytes};
    envelope.seq = driver_.inbox.next(agent);
    envelope.ts = now_ms / 1000;
    if (driver_.rules.names_session) {
        envelope.fields |= ACCP_ENVELOPE_SID;
        envelope.sid = to_text(driver_.id());
    }
    return status;
}

Status Outflow::encode(const message::Message &message, std::string_view json,
                       const Address &address, FrameRefs &refs, Scratch &scratch,
                       Buffer<char> &out) {
    frame::EnvelopeStore &envelope = scratch.envelope;
    Status status = envelope.set(&address.envelope, scratch.settings.limit(ACCP_LIMIT_KEY_BYTES));
    if (status.failed()) return status;
    envelope.reserve_fields(ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS |
                            ACCP_ENVELOPE_SID);
    const SessionRules &rules = driver_.rules;
    PartEnvelopes parts(driver_, mids_, message.agent);
    codec::EncodeCall call;
    const bool counts = rules.max_tokens || scratch.settings.spells_cheapest;
    call.counter = counts ? &scratch.counter : nullptr;
    call.max_tokens = rules.max_tokens;
    call.keeper = rules.shares_store ? &refs : nullptr;
    call.envelopes = driver_.takes_parts() ? &parts : nullptr;
    call.envelope = &envelope;
    return scratch.codec.encode(message, json, call, out);
}

Status Outflow::send_state(std::string_view agent, std::string_view json, int64_t now_ms,
                           Scratch &scratch, Buffer<char> &out) {
    Status status = prepare_write(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = release_waiting_first(now_ms, scratch, {&agent, &json}, copies);
    if (status.ok()) status = send_state_now(agent, json, now_ms, scratch, out);
    return driver_.finish(status);
}

Status Outflow::send_state_now(std::string_view agent, std::string_view json, int64_t now_ms,
                               Scratch &scratch, Buffer<char> &out) {
    Status status = read_json(json, scratch);
    if (status.failed()) return status;
    const value::TreeView next = scratch.json.value.view();
    if (next[0].kind != ACCP_MAP) return fail(ACCP_E1004, 0, "a state must be a JSON object");
    Buffer<char> &text = scratch.text;
    text.clear();
    text.append(R"({"agent":)");
    value::write_json_string(agent, text);
    text.append(R"(,"intent":"sync","operation":"state","payload":)");
    bool changed = false;
    status = driver_.core().state.write_change(next, 0, driver_.rules.merges, scratch.state, text,
                                               changed);
    text.append("}");
    if (status.failed()) return move_to(status, 0);
    if (!changed) return {};
    // the offset would refer to our own text
    return move_to(send_now(text.view(), {}, now_ms, scratch, out), 0);
}

// A frame is decoded as the peer will decode it before it is returned, so that both sides have the
// same message. Then it is recorded.

namespace {

bool is_request(std::string_view intent) { return intent == "req" || intent == "qry"; }

}  // namespace

Status Outflow::record_sent(const Sent &sent, Scratch &scratch) {
    Frame frame;
    message::Message message;
    FrameRefs refs = driver_.refs(scratch, sent.now_ms, FrameOrigin::kOwn);
    Status status = read_sent(sent, scratch, frame);
    if (status.ok()) status = check_own_agents(frame.arrival.agent);
    bool cancelled = false;
    if (status.ok()) status = inflow_.is_cancelled(frame.arrival, scratch, cancelled);
    if (cancelled) return fail(ACCP_DROPPED, 0, "its chain was cancelled, so it cannot be sent");
    if (status.ok()) status = decode(refs, sent.untrusted, false, scratch, message);
    if (status.ok()) status = move_to(driver_.core().check(message, scratch), frame.payload);
    const bool with_json = sent.in_parts || refs.has_changeable_refs();
    if (status.ok() && (with_json || driver_.hooks.log)) status = write_message(message, scratch);
    if (status.failed()) return status;
    const Buffer<char> &json = scratch.json.out;
    return keep_records(sent, {json.data(), with_json ? json.size() : 0}, message, frame, scratch);
}

// Reads the last frame of `sent` into `out`. For parts, scratch.codec then has the joined frame.
Status Outflow::read_sent(const Sent &sent, Scratch &scratch, Frame &out) const {
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

// Writes a record for each frame; the last one has the message. For parts, `frame` is overwritten.
Status Outflow::keep_records(const Sent &sent, std::string_view json,
                             const message::Message &message, Frame &frame, Scratch &scratch) {
    const bool waits = driver_.rules.deadline_ms && is_request(frame.arrival.intent);
    Status status;
    if (waits)
        status = driver_.core().pending.requests.may_start(
            to_text(delivery::chain_of(frame.arrival.envelope)));
    Effects effects = {scratch};
    uint64_t number = driver_.last_record();
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
        status = driver_.add_record(record, &frame.arrival, ++number, effects,
                                    ends ? &message : nullptr);
    }
    return status.ok() ? driver_.commit_records(number, effects) : status;
}

// Checks that the session may send under one more name, which then belongs to the host.
Status Outflow::check_own_agents(std::string_view agent) const {
    const NameSet &own = driver_.core().own_agents;
    const size_t bytes = own.text().size() + agent.size() + 1;
    if (own.has(agent) || bytes <= kMaxOwnAgentBytes) return {};
    return fail_limit(
        bytes, kMaxOwnAgentBytes,
        "too many bytes in the names of this session's own agents: send as fewer agents");
}

}  // namespace accp::session
