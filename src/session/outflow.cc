// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See outflow.h: messages of ours, as frames.
#include "session/outflow.h"

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::session {

// Parts after the first: the next mids and seqs.
class Outflow::PartEnvelopes final : public codec::EnvelopeSource {
public:
    PartEnvelopes(Driver &driver, Mids &mids, std::string_view agent)
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
    Mids &mids_;
    std::string_view agent_;
    char mid_[kMidBytes];
    int64_t count_ = 0;
};

// Frames that wait go first where our last one was what they waited for (both sides may count
// together): not after it at once, as its record is the last one then. Their messages may take the
// place of the texts of this call, if these were handed out; so those are copied.
Status Outflow::let_pass(int64_t now_ms, Scratch &scratch,
                         std::initializer_list<std::string_view *> texts, Buffer<char> &copies) {
    if (!inflow_.has_ready()) return {};
    size_t size = 0;
    for (const std::string_view *text : texts) size += text->size();
    copies.reserve(size);
    for (std::string_view *text : texts) {
        const char *copy = copies.end();
        copies.append(text->data(), text->size());
        *text = {copy, text->size()};
    }
    return inflow_.release(now_ms, scratch);
}

Status Outflow::send(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = begin(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = let_pass(now_ms, scratch, {&json}, copies);
    if (status.ok()) status = send_now(json, {}, now_ms, scratch, out);
    return driver_.finish(status);
}

Status Outflow::reply(std::string_view request, std::string_view json, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out) {
    Status status = begin(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = let_pass(now_ms, scratch, {&request, &json}, copies);
    message::Message asked;
    message::ReplyTo to;
    if (status.ok()) status = move_to(read_message(request, scratch, asked), 0);
    if (status.ok()) status = message::read_reply_to(asked, to);
    if (status.ok()) status = send_now(json, to, now_ms, scratch, out);
    return driver_.finish(status);
}

// `to`: what it answers, perhaps nothing; views of scratch.json.
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
    if (status.ok()) status = this->address(message.agent, now_ms, address);
    if (status.failed()) return status;
    if (to.cid.len) to.put(address.envelope);
    const bool untrusted = message.untrusted || driver_.hooks.is_untrusted(message.agent);
    driver_.inbox.prepare();
    FrameRefs refs = driver_.refs(scratch, now_ms, Owner::kOurs);
    refs.keep_untrusted(untrusted);
    const size_t start = out.size();
    status = encode(message, json, address, refs, scratch, out);
    const codec::Codec &codec = scratch.codec;
    const accp_outcome outcome = {codec.parts(), codec.kept(), codec.warnings(), 0};
    if (status.ok())  // what is wrong then is at no byte of the JSON
        status = move_to(keep({{out.data() + start, out.size() - start},
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

// The next mid and seq of this agent.
Status Outflow::address(std::string_view agent, int64_t now_ms, Address &out) {
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
    Status status = begin(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = let_pass(now_ms, scratch, {&agent, &json}, copies);
    if (status.ok()) status = send_state_now(agent, json, now_ms, scratch, out);
    return driver_.finish(status);
}

Status Outflow::send_state_now(std::string_view agent, std::string_view json, int64_t now_ms,
                               Scratch &scratch, Buffer<char> &out) {
    Status status = read_json(json, scratch);
    if (status.failed()) return status;
    const value::TreeView next = scratch.json.value.view();
    if (next[0].kind != ACCP_MAP) return fail(ACCP_E1004, 0, "a state is an object");
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
    // the text is ours, and so is the place in it
    return move_to(send_now(text.view(), {}, now_ms, scratch, out), 0);
}

}  // namespace accp::session
