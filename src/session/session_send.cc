// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: messages of ours, as frames or only as history.
#include "session/refs.h"
#include "session/session.h"
#include "value/json_writer.h"

namespace accp::session {

// Parts after the first: the next mids and seqs.
class PartEnvelopes final : public codec::EnvelopeSource {
public:
    PartEnvelopes(Session &session, std::string_view agent) : session_(session), agent_(agent) {}
    Status next(accp_envelope &envelope) override {
        Status status = session_.inbox_.may_send(agent_, ++count_ + 1);
        if (status.failed()) return status;
        envelope.mid = {mid_, kMidBytes};
        envelope.seq += count_;
        uint64_t word = 0;
        return session_.new_mid(agent_, mid_, word);
    }

private:
    Session &session_;
    std::string_view agent_;
    char mid_[kMidBytes];
    int64_t count_ = 0;
};

namespace {

bool is_request(std::string_view intent) { return intent == "req" || intent == "qry"; }

}  // namespace

// Never one that was there before: an earlier handle had another key, and others may send in the
// same session.
Status Session::new_mid(std::string_view agent, char *mid, uint64_t &word) {
    const uint64_t counters = rules_.issuer ? kIssuerCounters : kMidCounters;
    const Permutation permuted(counters, mid_key_);
    for (bool seen = true; seen;) {
        if (!frame::format_mid(mid_letter_, rules_.issuer, permuted(mid_counter_++ % counters),
                               mid))
            return fail(ACCP_ERR_ARG, 0, "an issuer is from 0 to 99");
        word = store::mid_word(agent, {mid, kMidBytes});
        Status status = store_->has_mid_word(word, seen);
        if (status.failed()) return status;
    }
    return {};
}

Status Session::address(std::string_view agent, int64_t now_ms, char *mid, uint64_t &mid_word,
                        accp_envelope &out) {
    Status status = inbox_.may_send(agent, 1);
    if (status.ok()) status = new_mid(agent, mid, mid_word);
    out = {};
    out.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    out.mid = {mid, kMidBytes};
    out.seq = inbox_.next(agent);
    out.ts = now_ms / 1000;
    if (rules_.names_session) {
        out.fields |= ACCP_ENVELOPE_SID;
        out.sid = {id_.data(), id_.size()};
    }
    return status;
}

// Frames that wait go first where our last one was what they waited for (both sides may count
// together): not after it at once, as its record is the last one then. Their messages may take the
// place of the texts of this call, if these were handed out; so those are copied.
Status Session::let_pass(int64_t now_ms, Scratch &scratch,
                         std::initializer_list<std::string_view *> texts, Buffer<char> &copies) {
    if (!has_ready()) return {};
    size_t size = 0;
    for (const std::string_view *text : texts) size += text->size();
    copies.reserve(size);
    for (std::string_view *text : texts) {
        const char *copy = copies.end();
        copies.append(text->data(), text->size());
        *text = {copy, text->size()};
    }
    Status status = release(now_ms, scratch);
    return status.ok() ? settle() : status;  // whatever becomes of the call, they are handed out
}

Status Session::send(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    Buffer<char> copies(scratch.memory);
    status = let_pass(now_ms, scratch, {&json}, copies);
    if (status.ok()) status = send_now(json, now_ms, scratch, out);
    return status.ok() ? settle() : status;
}

Status Session::send_now(std::string_view json, int64_t now_ms, Scratch &scratch,
                         Buffer<char> &out) {
    message::Message message;
    Status status = scratch.codec.coder.read_message(json.data(), json.size(), message);
    if (status.failed()) return status;
    char mid[kMidBytes];
    accp_envelope envelope;
    uint64_t mid_word = 0;
    status = address(message.agent, now_ms, mid, mid_word, envelope);
    if (status.failed()) return status;
    const bool untrusted = message.untrusted || is_untrusted(message.agent);
    inbox_.prepare();
    SessionRefs refs(*this, scratch, now_ms, Owner::kOurs);
    const size_t start = out.size();
    status = encode(message, json, envelope, refs, scratch, out);
    if (status.ok())
        status = keep_sent({out.data() + start, out.size() - start}, refs.next_key(), mid_word,
                           untrusted, now_ms, scratch);
    if (status.failed()) out.resize_down(start);
    return status;
}

Status Session::encode(const message::Message &message, std::string_view json,
                       const accp_envelope &envelope, SessionRefs &refs, Scratch &scratch,
                       Buffer<char> &out) {
    codec::Codec &codec = scratch.codec;
    Status status =
        codec.coder.envelope.set(&envelope, scratch.settings.limit(ACCP_LIMIT_KEY_BYTES));
    if (status.failed()) return status;
    codec.coder.envelope.reserve_fields(ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS |
                                        ACCP_ENVELOPE_SID);
    PartEnvelopes parts(*this, message.agent);
    codec::EncodeCall call = {rules_.max_tokens ? &scratch.counter : nullptr, rules_.max_tokens,
                              rules_.shares_store ? &refs : nullptr,
                              rules_.parts ? &parts : nullptr};
    status = codec.encode(message, json, call, out);
    Status none = codec.coder.envelope.set(nullptr, 0);
    return status.ok() ? none : status;
}

// What goes out, perhaps in parts with a newline between two, is read as the other side will read
// it: both have the same of it. mid_word: of one frame, 0 where nobody has made it.
Status Session::keep_sent(std::string_view frames, uint64_t next_key, uint64_t mid_word,
                          bool untrusted, int64_t now_ms, Scratch &scratch) {
    const bool in_parts = frames.find('\n') != std::string_view::npos;
    std::string_view last = frames.substr(frames.rfind('\n') + 1);
    Frame sent;
    Status status =
        in_parts ? join_sent(frames, scratch) : read_frame(last, now_ms, untrusted, scratch, sent);
    if (status.ok() && in_parts) {
        status = read_part_frame(last, now_ms, untrusted, scratch, sent);
        if (status.ok()) status = scratch.codec.parse({scratch.text.data(), scratch.text.size()});
    }
    if (!in_parts) sent.arrival.mid_word = mid_word;
    message::Message message;
    if (status.ok()) status = speak_as(sent.arrival.agent);
    if (status.ok()) status = decode(Owner::kOurs, untrusted, now_ms, scratch, message);
    if (status.ok()) status = check(message, sent, scratch);
    if (status.ok() && (in_parts || fleeting_ || hooks_.log)) status = write_json(message, scratch);
    if (status.failed()) return status;
    const std::string_view chain = delivery::chain_of(sent.arrival.envelope);
    const bool waits = rules_.deadline_ms && is_request(sent.arrival.intent);
    if (waits) status = live_->pending.requests.may_start({chain.data(), chain.size()});
    uint64_t place = store_->row().last;
    checkpointed_ = false;
    for (size_t at = 0; status.ok() && at < frames.size();) {
        const std::string_view frame = frames.substr(at, frames.find('\n', at) - at);
        at += frame.size() + 1;
        const bool ends = at > frames.size();
        if (in_parts) status = read_part_frame(frame, now_ms, untrusted, scratch, sent);
        if (status.failed()) break;
        const RecordKind kind = !ends   ? RecordKind::kPartSent
                                : waits ? RecordKind::kRequest
                                        : RecordKind::kSent;
        Record record = {kind,     static_cast<uint64_t>(now_ms),
                         next_key, 0,
                         {},       ends ? kept_message(in_parts, scratch) : "",
                         frame};
        record.timeout_ms = rules_.deadline_ms;
        record.untrusted = untrusted;
        status = add(record, &sent.arrival, ++place, scratch, ends ? &message : nullptr);
    }
    return status.ok() ? write(place, scratch) : status;
}

Status Session::append(std::string_view json, int64_t now_ms, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    message::Message message;
    status = read_message(json, scratch, message);
    if (status.ok() && message.intent == "cancel") status = message::check_chain(message);
    if (status.failed()) return status;
    Record record = {
        RecordKind::kMessage, static_cast<uint64_t>(now_ms), live_->next_key, 0, {}, {}, json};
    record.untrusted = !message.untrusted && is_untrusted(message.agent);
    status = keep(record, nullptr, scratch, &message);
    return status.ok() ? settle() : status;
}

Status Session::send_state(std::string_view agent, std::string_view json, int64_t now_ms,
                           Scratch &scratch, Buffer<char> &out) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    Buffer<char> copies(scratch.memory);
    status = let_pass(now_ms, scratch, {&agent, &json}, copies);
    if (status.failed()) return status;
    const value::JsonLimits limits = {scratch.settings.limit(ACCP_LIMIT_JSON_BYTES), kMaxJsonDepth};
    status = scratch.reader.read(json.data(), json.size(), limits, scratch.message);
    if (status.failed()) return status;
    value::TreeView next = scratch.message.view();
    if (next[0].kind != ACCP_MAP) return fail(ACCP_E1004, 0, "a state is an object");
    scratch.text.clear();
    scratch.text.append(R"({"agent":)");
    value::write_json_string(agent, scratch.text);
    scratch.text.append(R"(,"intent":"sync","operation":"state","payload":)");
    bool changed = false;
    status =
        live_->state.write_change(next, 0, rules_.merges, scratch.state, scratch.text, changed);
    scratch.text.append("}");
    if (status.failed()) return move_to(status, 0);
    if (!changed) return {};
    status = send_now({scratch.text.data(), scratch.text.size()}, now_ms, scratch, out);
    // the text is ours, and so is the place in it
    return status.ok() ? settle() : move_to(status, 0);
}

}  // namespace accp::session
