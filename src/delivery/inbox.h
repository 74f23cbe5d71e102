// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What may come in, and when: the checks of WIRE.md section 8 that do not look into the payload. Specification 3.5, 3.7; A19 to A32.
//
// An inbox is a pure state machine: time is an argument, the mids seen so far are asked of somebody else, and a judgement changes nothing. The
// caller judges a frame, makes what follows from it durable, and only then tells the inbox with advance() or hold(), which cannot fail for anything but
// memory. So a frame that could not be stored was never there. What the inbox remembers is bounded by its window, never by history.
#pragma once

#include <string_view>

#include "accp/frame.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

namespace accp {

struct InboxRules {
    uint32_t window = kReorderWindow;  // frames that may wait for an earlier one; 0: refused at the gap
    int64_t gap_ms = kGapMs;           // after which a gap is overdue, and a state with a higher sequence number closes it
    int64_t skew_ms = 0;               // by which clocks may differ before a ttl has passed
    int64_t future_ms = kFutureMs;     // by which a ts may be ahead
    bool by_sender = false;            // each sender counts for itself (A22)
    bool require_ts = false;
    bool require_sid = false;
    bool loose_mid = false;  // A19: any 1 to 64 safe characters, not twelve hex digits only
};

// A frame that has come in. Views, and times in milliseconds since the epoch.
struct Arrival {
    std::string_view agent, intent, operation;
    accp_envelope envelope;
    int64_t now_ms;
    bool known_intent;
    bool untrusted = false;  // what it says is data
};

// Whom the inbox asks about messages that are long gone.
class History {
public:
    // Was this mid ever taken in this session?
    virtual Status has(std::string_view mid, bool &seen) = 0;

protected:
    ~History() = default;
};

enum class Verdict : uint8_t {
    kNext,     // apply it now, and advance() past it
    kWaits,    // hold() it until the frames before it are there
    kDropped,  // answer nothing (A21); advance() where `advances`
};

struct Judgement {
    Verdict verdict = Verdict::kNext;
    bool advances = false;  // of a dropped one: it has used up its sequence number
    bool new_gap = false;   // of one that waits: the first since the gap opened, which is to be told to the sender (E3003)
    bool resyncs = false;   // it closes an overdue gap: what waits before it is applied first
};

class Inbox {
public:
    Inbox(Memory &memory, const InboxRules &rules);
    ~Inbox();

    // Steps 3 to 8. E1001: envelope; E1002: intent; E5002: another session's sid; E3002: seen; E3003: a gap, or late. The offset is 0: the caller knows
    // where the metadata stands.
    Status judge(const Arrival &frame, std::string_view session_id, History &history, Judgement &out) const;

    // Takes the memory that advance() may need.
    void prepare(std::string_view agent);
    // The frame with this sequence number has been applied, dropped or refused for good.
    void advance(std::string_view agent, int64_t seq);
    // Keeps a copy of a frame that waits.
    void hold(const Arrival &frame, std::string_view text);

    // A frame that waited, and is the next of its sender or has been passed by; or the lowest of a sender's below `seq`. Empty where there is none; a view
    // until the next change. drop() forgets it, when it has been applied.
    struct Waiting {
        std::string_view agent, text;
        int64_t seq = 0, since_ms = 0;
        bool untrusted = false;
    };
    Waiting ready() const;
    Waiting below(std::string_view agent, int64_t seq) const;
    void drop(std::string_view agent, int64_t seq);

    // The oldest gap: who, and from where to where frames are missing. missing_to is 0 where there is none.
    struct Gap {
        std::string_view agent;
        int64_t from = 0, to = 0, since_ms = 0;
    };
    Gap gap() const;

    int64_t next(std::string_view agent) const;  // the sequence number that is awaited of this sender
    uint32_t waiting() const { return static_cast<uint32_t>(held_.size()); }

    // Every sender and its next number, to be kept and restored.
    struct Sender {
        char agent[kMostSenderBytes];
        uint8_t agent_len;
        int64_t next;
        std::string_view name() const { return {agent, agent_len}; }
    };
    const Buffer<Sender> &senders() const { return senders_; }
    void restore(std::string_view agent, int64_t next);
    void forget_senders() { senders_.clear(); }

    const InboxRules &rules() const { return rules_; }

private:
    struct Held {
        char *text;  // mid, agent, then the frame
        uint32_t text_len, mid_len, agent_len;
        int64_t seq, since_ms;
        bool untrusted;
        std::string_view mid() const { return {text, mid_len}; }
        std::string_view agent() const { return {text + mid_len, agent_len}; }
        std::string_view frame() const { return {text + mid_len + agent_len, text_len - mid_len - agent_len}; }
    };

    Status check_envelope(const Arrival &frame) const;
    bool is_expired(const Arrival &frame) const;
    Status check_sequence(const Arrival &frame, Judgement &out) const;
    bool waits_with(std::string_view mid) const;
    const Sender *sender(std::string_view agent) const;
    std::string_view scope(std::string_view agent) const { return rules_.by_sender ? agent : std::string_view(); }

    Memory &memory_;
    const InboxRules rules_;
    Buffer<Sender> senders_;
    Buffer<Held> held_;  // in the order of their numbers
    uint64_t held_bytes_ = 0;
};

}  // namespace accp
