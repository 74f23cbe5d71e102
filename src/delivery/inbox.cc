// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See inbox.h.
#include "delivery/inbox.h"

#include <algorithm>

namespace accp {

namespace {

constexpr int64_t kSecond = 1000;

bool is_hex_mid(std::string_view mid) {
    if (mid.size() != kMidBytes) return false;
    return std::all_of(mid.begin(), mid.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// seconds * 1000 + more, and no overflow: a time beyond 64 bits is for ever.
int64_t to_ms(int64_t seconds, int64_t more) {
    int64_t ms;
    if (__builtin_mul_overflow(seconds, kSecond, &ms) || __builtin_add_overflow(ms, more, &ms)) return INT64_MAX;
    return ms;
}

}  // namespace

Inbox::Inbox(Memory &memory, const InboxRules &rules) : memory_(memory), rules_(rules), senders_(memory), held_(memory) {}

Inbox::~Inbox() {
    for (const Held &held : held_) memory_.give(held.text, held.text_len);
}

Status Inbox::check_envelope(const Arrival &frame) const {
    const accp_envelope &envelope = frame.envelope;
    auto has = [&](uint32_t field) { return (envelope.fields & field) != 0; };
    if (!has(ACCP_ENVELOPE_MID)) return fail(ACCP_E1001, 0, "a frame of a session has a mid");
    std::string_view mid(envelope.mid.text, envelope.mid.len);
    if (rules_.loose_mid ? mid.size() > kMostMidBytes : !is_hex_mid(mid))
        return fail(ACCP_E1001, 0, rules_.loose_mid ? "a mid of more than 64 bytes" : "a mid is twelve lower-case hex digits");
    if (!has(ACCP_ENVELOPE_SEQ)) return fail(ACCP_E1001, 0, "a frame of a session has a seq");
    if (envelope.seq < 1 || envelope.seq == INT64_MAX) return fail(ACCP_E1001, 0, "a seq is from 1 to 2^63 - 2");
    if (!has(ACCP_ENVELOPE_TS) && (rules_.require_ts || envelope.ttl > 0)) return fail(ACCP_E1001, 0, "this frame needs a ts");
    if (has(ACCP_ENVELOPE_TS) && frame.now_ms < to_ms(envelope.ts, -rules_.future_ms))
        return fail(ACCP_E1001, 0, "a ts that far ahead of the clock");
    if (rules_.by_sender && frame.agent.size() > kMostSenderBytes) return fail(ACCP_E1001, 0, "the sender's name is too long to count for");
    if (!has(ACCP_ENVELOPE_SID) && rules_.require_sid) return fail(ACCP_E1001, 0, "this frame needs a sid");
    return {};
}

bool Inbox::is_expired(const Arrival &frame) const {
    if (frame.envelope.ttl <= 0) return false;
    int64_t lives_ms = to_ms(frame.envelope.ttl, rules_.skew_ms);
    return frame.now_ms > to_ms(frame.envelope.ts, lives_ms);
}

Status Inbox::judge(const Arrival &frame, std::string_view session_id, History &history, Judgement &out) const {
    out = {};
    Status status = check_envelope(frame);
    if (status.failed()) return status;
    if (!frame.known_intent) return fail(ACCP_E1002, 0, "the intent is none of the twelve");
    const accp_envelope &envelope = frame.envelope;
    const int64_t awaited = next(frame.agent);
    const bool ours = !(envelope.fields & ACCP_ENVELOPE_SID) || std::string_view(envelope.sid.text, envelope.sid.len) == session_id;
    if (is_expired(frame)) {
        out.verdict = Verdict::kDropped;
        out.advances = ours && envelope.seq == awaited;
        return {};
    }
    if (!ours) return fail(ACCP_E5002, 0, "the sid is another session's");
    std::string_view mid(envelope.mid.text, envelope.mid.len);
    bool seen = waits_with(mid);
    if (!seen) status = history.has(mid, seen);
    if (status.failed()) return status;
    if (seen) return fail(ACCP_E3002, 0, "this mid was seen before");
    return check_sequence(frame, out);
}

Status Inbox::check_sequence(const Arrival &frame, Judgement &out) const {
    const int64_t seq = frame.envelope.seq, awaited = next(frame.agent);
    if (seq == awaited) return {};
    if (seq < awaited) return fail(ACCP_E3003, 0, "a seq that has passed, with a mid never seen");
    if (rules_.by_sender && !sender(frame.agent) && senders_.size() >= kMostSenders) return fail(ACCP_E2003, 0, "too many senders");
    for (const Held &held : held_)
        if (held.seq == seq && scope(held.agent()) == scope(frame.agent)) return fail(ACCP_E3003, 0, "a frame with this seq waits already");
    Gap open = gap();
    bool overdue = open.to && frame.now_ms - open.since_ms >= rules_.gap_ms;
    if (overdue && frame.intent == "sync" && frame.operation == "state") {
        out.resyncs = true;
        return {};
    }
    if (seq - awaited > rules_.window || held_.size() >= rules_.window)
        return fail(ACCP_E3003, 0, "a gap that is wider than the window of frames that may wait");
    if (held_bytes_ > kMostHeldBytes) return fail(ACCP_E2003, 0, "too many bytes wait for an earlier frame");
    out.verdict = Verdict::kWaits;
    out.new_gap = std::none_of(held_.begin(), held_.end(), [&](const Held &held) { return scope(held.agent()) == scope(frame.agent); });
    return {};
}

bool Inbox::waits_with(std::string_view mid) const {
    return std::any_of(held_.begin(), held_.end(), [&](const Held &held) { return held.mid() == mid; });
}

const Inbox::Sender *Inbox::sender(std::string_view agent) const {
    agent = scope(agent);
    for (const Sender &one : senders_)
        if (one.name() == agent) return &one;
    return nullptr;
}

int64_t Inbox::next(std::string_view agent) const {
    const Sender *known = sender(agent);
    return known ? known->next : 1;
}

void Inbox::restore(std::string_view agent, int64_t next) {
    agent = scope(agent);
    auto *known = const_cast<Sender *>(sender(agent));
    if (!known) {
        senders_.push({});
        known = &senders_[senders_.size() - 1];
        known->agent_len = static_cast<uint8_t>(agent.copy(known->agent, sizeof known->agent));
    }
    known->next = next;
}

void Inbox::prepare(std::string_view agent) {
    if (!sender(agent)) restore(agent, 1);
}

void Inbox::advance(std::string_view agent, int64_t seq) {
    if (seq >= next(agent)) restore(agent, seq + 1);
}

void Inbox::hold(const Arrival &frame, std::string_view text) {
    std::string_view mid(frame.envelope.mid.text, frame.envelope.mid.len);
    held_.room(1);
    auto size = static_cast<uint32_t>(mid.size() + frame.agent.size() + text.size());
    char *copy = static_cast<char *>(memory_.take(size));
    mid.copy(copy, mid.size());
    frame.agent.copy(copy + mid.size(), frame.agent.size());
    text.copy(copy + mid.size() + frame.agent.size(), text.size());
    held_.push({copy, size, static_cast<uint32_t>(mid.size()), static_cast<uint32_t>(frame.agent.size()), frame.envelope.seq, frame.now_ms,
                frame.untrusted});
    held_bytes_ += size;
    std::sort(held_.begin(), held_.end(), [](const Held &a, const Held &b) { return a.seq < b.seq; });
}

Inbox::Waiting Inbox::ready() const {
    for (const Held &held : held_)
        if (held.seq <= next(held.agent())) return {held.agent(), held.frame(), held.seq, held.since_ms, held.untrusted};
    return {};
}

Inbox::Waiting Inbox::below(std::string_view agent, int64_t seq) const {
    for (const Held &held : held_)
        if (held.seq < seq && scope(held.agent()) == scope(agent))
            return {held.agent(), held.frame(), held.seq, held.since_ms, held.untrusted};
    return {};
}

void Inbox::drop(std::string_view agent, int64_t seq) {
    for (size_t i = 0; i < held_.size(); ++i) {
        if (held_[i].seq != seq || scope(held_[i].agent()) != scope(agent)) continue;
        held_bytes_ -= held_[i].text_len;
        memory_.give(held_[i].text, held_[i].text_len);
        std::copy(held_.begin() + i + 1, held_.end(), held_.begin() + i);
        held_.resize_down(held_.size() - 1);
        return;
    }
}

Inbox::Gap Inbox::gap() const {
    const Held *oldest = std::min_element(held_.begin(), held_.end(), [](const Held &a, const Held &b) { return a.since_ms < b.since_ms; });
    if (oldest == held_.end()) return {};
    const Held *lowest =
        std::find_if(held_.begin(), held_.end(), [&](const Held &held) { return scope(held.agent()) == scope(oldest->agent()); });
    return {lowest->agent(), next(lowest->agent()), lowest->seq - 1, oldest->since_ms};
}

}  // namespace accp
