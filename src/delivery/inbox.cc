// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks of the inbox. They change nothing.
#include "delivery/inbox.h"

#include <algorithm>

#include "registry/ontology.h"

namespace accp::delivery {

namespace {

constexpr int64_t kSecond = 1000;
constexpr const char *kPassed = "the seq was used before, but not with this mid";
constexpr const char *kPassedTogether =
    "the seq was used before, but not with this mid: all agents share one count; set rule "
    "by_sender to give each its own";
constexpr const char *kTaken = "another frame with this seq is already waiting";
constexpr const char *kTooWide = "the gap before the seq is wider than rule window allows";
constexpr const char *kTooFar = "the state skips more numbers than rule jump allows";
constexpr const char *kShareUsed =
    "this agent's share of the frames that may wait (4 times rule window for all agents) is used "
    "up";
constexpr const char *kTooManySenders =
    "too many agents send in this session: allow fewer with receive_from";
constexpr const char *kTooManyBytes =
    "too many bytes wait for earlier frames: send the earlier frames first";

// A failure at one field, given as a bit of accp_envelope::fields: see check().
Status field_error(accp_status code, uint32_t field, const char *message, uint64_t had = 0,
                   uint64_t limit = 0) {
    return fail_limit(code, field, message, had, limit);
}

Status out_of_order(int64_t seq, int64_t awaited, const char *message) {
    return field_error(ACCP_E3003, ACCP_ENVELOPE_SEQ, message, static_cast<uint64_t>(seq),
                       static_cast<uint64_t>(awaited));
}

bool is_hex_mid(std::string_view mid) {
    if (mid.size() != kMidBytes) return false;
    return std::all_of(mid.begin(), mid.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// seconds * 1000 + more, limited to INT64_MAX.
int64_t to_ms(int64_t seconds, int64_t more) {
    int64_t ms;
    if (__builtin_mul_overflow(seconds, kSecond, &ms) || __builtin_add_overflow(ms, more, &ms))
        return INT64_MAX;
    return ms;
}

uint64_t latest_ts(int64_t now_ms, const InboxRules &rules) {
    int64_t latest;
    if (__builtin_add_overflow(now_ms, rules.future_ms, &latest)) latest = INT64_MAX;
    return static_cast<uint64_t>(latest / kSecond);
}

Status check_envelope(const Arrival &frame, const InboxRules &rules) {
    const accp_envelope &envelope = frame.envelope;
    auto has = [&](uint32_t field) { return (envelope.fields & field) != 0; };
    auto refuse = [](uint32_t field, const char *message, uint64_t had = 0, uint64_t limit = 0) {
        return field_error(ACCP_E1001, field, message, had, limit);
    };
    if (!has(ACCP_ENVELOPE_MID))
        return refuse(ACCP_ENVELOPE_MID, "the mid is missing: a frame of a session must have one");
    std::string_view mid(envelope.mid.text, envelope.mid.len);
    if (!rules.loose_mid && !is_hex_mid(mid))
        return refuse(ACCP_ENVELOPE_MID,
                      "a mid must have twelve lower-case hex digits; rule loose_mid allows others");
    if (mid.size() > kMaxMidBytes)
        return refuse(ACCP_ENVELOPE_MID, "too many bytes in a mid", mid.size(), kMaxMidBytes);
    if (!has(ACCP_ENVELOPE_SEQ))
        return refuse(ACCP_ENVELOPE_SEQ, "the seq is missing: a frame of a session must have one");
    if (envelope.seq < 1 || envelope.seq > kMaxSeq)
        return refuse(ACCP_ENVELOPE_SEQ, "a seq must be from 1 to 2^63 - 2");
    if (!has(ACCP_ENVELOPE_TS) && (rules.require_ts || envelope.ttl > 0))
        return refuse(ACCP_ENVELOPE_TS, rules.require_ts
                                            ? "the ts is missing: rule require_ts requires one"
                                            : "the ts is missing: a ttl counts from it");
    if (has(ACCP_ENVELOPE_TS) && frame.now_ms < to_ms(envelope.ts, -rules.future_ms))
        return refuse(ACCP_ENVELOPE_TS,
                      "the ts is farther ahead of the clock than rule future_ms allows, in seconds",
                      static_cast<uint64_t>(envelope.ts), latest_ts(frame.now_ms, rules));
    if (rules.by_sender && frame.agent.size() > kMaxSenderBytes)
        return refuse(0, "too many bytes in an agent's name under rule by_sender",
                      frame.agent.size(), kMaxSenderBytes);
    if (!has(ACCP_ENVELOPE_SID) && rules.require_sid)
        return refuse(ACCP_ENVELOPE_SID, "the sid is missing: rule require_sid requires one");
    return {};
}

}  // namespace

bool Inbox::is_expired(const Arrival &frame) const {
    if (frame.envelope.ttl <= 0) return false;
    int64_t lives_ms = to_ms(frame.envelope.ttl, rules_.skew_ms);
    return frame.now_ms > to_ms(frame.envelope.ts, lives_ms);
}

Status Inbox::check(const Arrival &frame, std::string_view session_id, SeenMids &seen_mids,
                    InboxResult &out) const {
    out = {};
    Status status = check_envelope(frame, rules_);
    if (status.failed()) return status;
    if (!frame.known_intent) return fail(ACCP_E1002, 0, registry::kNoIntent);
    const accp_envelope &envelope = frame.envelope;
    const Sender *sender = find(frame.agent);
    const bool ours = !(envelope.fields & ACCP_ENVELOPE_SID) ||
                      std::string_view(envelope.sid.text, envelope.sid.len) == session_id;
    if (is_expired(frame)) {
        out.verdict = Verdict::kDropped;
        out.advances =
            ours && envelope.seq == (sender ? sender->next : 1) && (sender || has_capacity());
        return {};
    }
    if (!ours)
        return field_error(ACCP_E5002, ACCP_ENVELOPE_SID, "the sid belongs to another session");
    const Share share = share_of(frame, sender);
    bool seen = share.has_mid;
    if (!seen) status = seen_mids.contains(frame, seen);
    if (status.failed()) return status;
    if (seen) return field_error(ACCP_E3002, ACCP_ENVELOPE_MID, "this mid was seen before");
    return check_sequence(frame, sender, share, out);
}

Status Inbox::check_sequence(const Arrival &frame, const Sender *sender, const Share &share,
                             InboxResult &out) const {
    const int64_t seq = frame.envelope.seq, awaited = sender ? sender->next : 1;
    if (!sender && !has_capacity())
        return fail_limit(senders_.size() - own_ + 1, kMaxSenders, kTooManySenders);
    if (seq == awaited) return {};
    if (seq < awaited || (sender && sender->has_mark(seq)))
        return out_of_order(seq, awaited, rules_.by_sender ? kPassed : kPassedTogether);
    if (share.has_seq) return out_of_order(seq, awaited, kTaken);
    if (frame.whole_state && sender && frame.now_ms - sender->since_ms() >= rules_.gap_ms) {
        if (seq - awaited > std::max<int64_t>(rules_.jump, rules_.window))
            return out_of_order(seq, awaited, kTooFar);
        out.resyncs = true;
        return {};
    }
    if (seq - awaited > rules_.window) return out_of_order(seq, awaited, kTooWide);
    if (frame.intent == "cancel" && (!sender || sender->marks < kMaxAhead)) return {};
    Status status = check_share(frame, awaited, share);
    if (status.failed()) return status;
    out.verdict = Verdict::kWaits;
    out.new_gap = !share.frames;
    return {};
}

// A single sender may use the whole window. If other senders of the same count wait too, it may use
// half of the places that they leave.
Status Inbox::check_share(const Arrival &frame, int64_t awaited, const Share &share) const {
    const uint64_t others = share.frames - share.own_frames,
                   places = kMaxWindows * uint64_t{rules_.window};
    if (share.own_frames >= rules_.window ||
        2 * share.own_frames >= places - std::min(others, places))
        return out_of_order(frame.envelope.seq, awaited, kShareUsed);
    const uint64_t bytes = frame.bytes + kHeldCost, own = share.own_bytes + bytes;
    const bool is_common = held_bytes_ + bytes <= kMaxHeldBytes;
    const bool is_reserved =
        own <= kMinHeldShare && held_bytes_ + bytes <= kMaxWindows * kMaxHeldBytes;
    return is_common || is_reserved
               ? Status{}
               : fail_limit(held_bytes_ + bytes, kMaxHeldBytes, kTooManyBytes, ACCP_ENVELOPE_SEQ);
}

Inbox::Share Inbox::share_of(const Arrival &frame, const Sender *sender) const {
    Share share;
    const std::string_view mid(frame.envelope.mid.text, frame.envelope.mid.len);
    for (const Held *held = sender ? sender->held : nullptr; held; held = held->next) {
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
    const Sender *sender = find(agent);
    if (rules_.by_sender && agent.size() > kMaxSenderBytes)
        return fail_limit(ACCP_E1004, 0, "too many bytes in an agent's name under rule by_sender",
                          agent.size(), kMaxSenderBytes);
    if (rules_.by_sender && own_ >= kMaxOwnSenders && !(sender && sender->own))
        return fail_limit(own_ + 1, kMaxOwnSenders,
                          "too many agents of the host send in this session under rule by_sender: "
                          "send as fewer agents, or in another session");
    if ((sender ? sender->next : 1) > kMaxSeq - count + 1)
        return fail(ACCP_E2003, 0,
                    "no seq is left: the last is 2^63 - 2; continue in another session");
    return {};
}

Inbox::Gap Inbox::gap(std::string_view agent) const {
    const Sender *sender = find(agent);
    if (!sender || !sender->held) return {};
    return {sender->next, sender->held->seq - 1, sender->since_ms()};
}

uint32_t Inbox::gaps() const {
    uint32_t count = 0;
    for (size_t i = 0; waiting_ && i < senders_.size(); ++i) count += senders_[i].held != nullptr;
    return count;
}

}  // namespace accp::delivery
