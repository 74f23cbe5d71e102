// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See inbox.h: the checks. Nothing here changes anything.
#include "delivery/inbox.h"

#include <algorithm>

namespace accp::delivery {

namespace {

constexpr int64_t kSecond = 1000;
constexpr const char *kPassed = "a seq that has passed, with a mid never seen";
constexpr const char *kPassedTogether =
    "a seq that has passed, with a mid never seen: all agents share one count; rule by_sender "
    "gives each its own";
constexpr const char *kTaken = "a frame with this seq waits already";
constexpr const char *kTooWide = "a gap that is wider than rule window";
constexpr const char *kTooFar = "a state that passes more numbers than rule jump allows";
constexpr const char *kShareUsed =
    "this agent's share of the frames that may wait (4 times rule window for all agents) is used "
    "up";
constexpr const char *kTooManySenders =
    "too many agents send in this session: receive_from names those that may";
constexpr const char *kTooManyBytes = "too many bytes wait for earlier frames: send those first";

bool is_hex_mid(std::string_view mid) {
    if (mid.size() != kMidBytes) return false;
    return std::all_of(mid.begin(), mid.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// seconds * 1000 + more, and no overflow: a time beyond 64 bits is for ever.
int64_t to_ms(int64_t seconds, int64_t more) {
    int64_t ms;
    if (__builtin_mul_overflow(seconds, kSecond, &ms) || __builtin_add_overflow(ms, more, &ms))
        return INT64_MAX;
    return ms;
}

Status check_envelope(const Arrival &frame, const InboxRules &rules) {
    const accp_envelope &envelope = frame.envelope;
    auto has = [&](uint32_t field) { return (envelope.fields & field) != 0; };
    if (!has(ACCP_ENVELOPE_MID)) return fail(ACCP_E1001, 0, "a frame of a session has a mid");
    std::string_view mid(envelope.mid.text, envelope.mid.len);
    if (rules.loose_mid ? mid.size() > kMaxMidBytes : !is_hex_mid(mid))
        return fail(ACCP_E1001, 0,
                    rules.loose_mid ? "a mid of more than 64 bytes"
                                    : "a mid is twelve lower-case hex digits");
    if (!has(ACCP_ENVELOPE_SEQ)) return fail(ACCP_E1001, 0, "a frame of a session has a seq");
    if (envelope.seq < 1 || envelope.seq > kMaxSeq)
        return fail(ACCP_E1001, 0, "a seq is from 1 to 2^63 - 2");
    if (!has(ACCP_ENVELOPE_TS) && (rules.require_ts || envelope.ttl > 0))
        return fail(ACCP_E1001, 0, "this frame needs a ts");
    if (has(ACCP_ENVELOPE_TS) && frame.now_ms < to_ms(envelope.ts, -rules.future_ms))
        return fail(ACCP_E1001, 0, "a ts that far ahead of the clock");
    if (rules.by_sender && frame.agent.size() > kMaxSenderBytes)
        return fail(ACCP_E1001, 0, "the sender's name is too long to count for");
    if (!has(ACCP_ENVELOPE_SID) && rules.require_sid)
        return fail(ACCP_E1001, 0, "this frame needs a sid");
    return {};
}

}  // namespace

bool Inbox::is_expired(const Arrival &frame) const {
    if (frame.envelope.ttl <= 0) return false;
    int64_t lives_ms = to_ms(frame.envelope.ttl, rules_.skew_ms);
    return frame.now_ms > to_ms(frame.envelope.ts, lives_ms);
}

Status Inbox::judge(const Arrival &frame, std::string_view session_id, History &history,
                    Judgement &out) const {
    out = {};
    Status status = check_envelope(frame, rules_);
    if (status.failed()) return status;
    if (!frame.known_intent) return fail(ACCP_E1002, 0, "the intent is none of the twelve");
    const accp_envelope &envelope = frame.envelope;
    const Sender *known = find(frame.agent);
    const bool ours = !(envelope.fields & ACCP_ENVELOPE_SID) ||
                      std::string_view(envelope.sid.text, envelope.sid.len) == session_id;
    if (is_expired(frame)) {
        out.verdict = Verdict::kDropped;
        out.advances = ours && envelope.seq == (known ? known->next : 1) && (known || has_place());
        return {};
    }
    if (!ours) return fail(ACCP_E5002, 0, "the sid is another session's");
    const Share share = share_of(frame, known);
    bool seen = share.has_mid;
    if (!seen) status = history.has(frame, seen);
    if (status.failed()) return status;
    if (seen) return fail(ACCP_E3002, 0, "this mid was seen before");
    return check_sequence(frame, known, share, out);
}

Status Inbox::check_sequence(const Arrival &frame, const Sender *known, const Share &share,
                             Judgement &out) const {
    const int64_t seq = frame.envelope.seq, awaited = known ? known->next : 1;
    if (!known && !has_place())
        return fail_limit(senders_.size() - own_ + 1, kMaxSenders, kTooManySenders);
    if (seq == awaited) return {};
    if (seq < awaited || (known && known->has_mark(seq)))
        return fail(ACCP_E3003, 0, rules_.by_sender ? kPassed : kPassedTogether);
    if (share.has_seq) return fail(ACCP_E3003, 0, kTaken);
    if (frame.whole_state && known && frame.now_ms - known->since_ms() >= rules_.gap_ms) {
        if (seq - awaited > std::max<int64_t>(rules_.jump, rules_.window))
            return fail(ACCP_E3003, 0, kTooFar);
        out.resyncs = true;
        return {};
    }
    if (seq - awaited > rules_.window) return fail(ACCP_E3003, 0, kTooWide);
    if (frame.intent == "cancel" && (!known || known->marks < kMaxAhead)) return {};
    Status status = check_share(frame, share);
    if (status.failed()) return status;
    out.verdict = Verdict::kWaits;
    out.new_gap = !share.frames;
    return {};
}

// A sender alone may use the whole window; where others of its count wait too, half of the places
// that they leave.
Status Inbox::check_share(const Arrival &frame, const Share &share) const {
    const uint64_t others = share.frames - share.own_frames,
                   places = kMaxWindows * uint64_t{rules_.window};
    if (share.own_frames >= rules_.window ||
        2 * share.own_frames >= places - std::min(others, places))
        return fail(ACCP_E3003, 0, kShareUsed);
    const uint64_t bytes = frame.bytes + kHeldCost, own = share.own_bytes + bytes;
    const bool is_common = held_bytes_ + bytes <= kMaxHeldBytes;
    const bool is_reserved =
        own <= kMinHeldShare && held_bytes_ + bytes <= kMaxWindows * kMaxHeldBytes;
    return is_common || is_reserved ? Status{}
                                    : fail_limit(held_bytes_ + bytes, kMaxHeldBytes, kTooManyBytes);
}

Inbox::Share Inbox::share_of(const Arrival &frame, const Sender *known) const {
    Share share;
    const std::string_view mid(frame.envelope.mid.text, frame.envelope.mid.len);
    for (const Held *held = known ? known->held : nullptr; held; held = held->next) {
        ++share.frames;
        if (held->agent() != frame.agent) continue;
        ++share.own_frames;
        share.own_bytes += held->cost();
        share.has_mid |= held->mid() == mid;
        share.has_seq |= held->seq == frame.envelope.seq;
    }
    return share;
}

Status Inbox::may_send(std::string_view agent, int64_t count) const {
    const Sender *known = find(agent);
    if (rules_.by_sender && agent.size() > kMaxSenderBytes)
        return fail(ACCP_E1004, 0, "under rule by_sender an agent's name has at most 64 bytes");
    if (rules_.by_sender && own_ >= kMaxOwnSenders && !(known && known->own))
        return fail_limit(own_ + 1, kMaxOwnSenders,
                          "too many agents of ours send in this session under rule by_sender: send "
                          "as fewer, or in another session");
    if ((known ? known->next : 1) > kMaxSeq - count + 1)
        return fail(ACCP_E2003, 0,
                    "no seq is left: the last is 2^63 - 2; go on in another session");
    return {};
}

Inbox::Gap Inbox::gap(std::string_view agent) const {
    const Sender *known = find(agent);
    if (!known || !known->held) return {};
    return {known->next, known->held->seq - 1, known->since_ms()};
}

uint32_t Inbox::gaps() const {
    uint32_t count = 0;
    for (size_t i = 0; waiting_ && i < senders_.size(); ++i) count += senders_[i].held != nullptr;
    return count;
}

}  // namespace accp::delivery
