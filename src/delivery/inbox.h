// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What may come in, and when: the checks of docs/wire.md 8 that do not look into the payload.
// Specification 3.5, 3.7; decisions A19 to A32.
//
// An inbox is a pure state machine: time is an argument, the mids seen so far are asked of somebody
// else, and a judgement changes nothing. The caller judges a frame, makes what follows from it
// durable, and only then tells the inbox with advance() or hold(), which cannot fail for anything
// but memory. So a frame that could not be stored was never there. What the inbox remembers is
// bounded by its window, never by history.
//
// Each count of sequence numbers (one for each sender under by_sender, else one for all) has its
// own gap, window and time. No sender can take another's place: newcomers are refused before
// senders that are known, and each sender that waits has a share of the window and of the bytes.
#pragma once

#include <string_view>

#include "accp/types.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/pack.h"
#include "base/slots.h"
#include "base/status.h"

namespace accp::delivery {

struct InboxRules {
    // frames that may wait for an earlier one; 0: refused at the gap
    uint32_t window = kReorderWindow;
    // after which a gap is overdue, and a whole state with a higher sequence number closes it, one
    // that waits too
    int64_t gap_ms = kGapMs;
    int64_t jump = kMaxJump;        // numbers that such a state may pass
    int64_t skew_ms = 0;            // by which clocks may differ before a ttl has passed
    int64_t future_ms = kFutureMs;  // by which a ts may be ahead
    bool by_sender = false;         // each sender counts for itself (decision A22)
    bool require_ts = false;
    bool require_sid = false;
    bool loose_mid =
        false;  // decision A19: any 1 to 64 safe characters, not twelve hex digits only
};

// A frame that has come in. Views, and times in milliseconds since the epoch.
struct Arrival {
    std::string_view agent, intent, operation;
    accp_envelope envelope;
    int64_t now_ms;
    bool known_intent;
    uint32_t bytes = 0;      // of its text
    bool untrusted = false;  // what it says is data
    uint64_t mid_word = 0;   // what the history knows its mid by
    // It brings the whole shared state, and so may close a gap: of what a change was made from,
    // something may be missing. Of one whose turn it is nobody asks.
    bool whole_state = false;

    bool is_state() const { return intent == "sync" && operation == "state"; }
};

// Whom the inbox asks about messages that are long gone.
class SeenMids {
public:
    // Was the frame's mid ever taken from its agent in this session?
    virtual Status contains(const Arrival &frame, bool &seen) = 0;

protected:
    ~SeenMids() = default;
};

enum class Verdict : uint8_t {
    kNext,     // apply it now, and advance() past it; a `cancel` may be ahead of a gap
    kWaits,    // hold() it until the frames before it are there
    kDropped,  // answer nothing (decision A21); advance() where `advances`
};

struct InboxResult {
    Verdict verdict = Verdict::kNext;
    bool advances = false;  // of a dropped one: it has used up its sequence number
    // of one that waits: the first since the gap opened, which is to be told to the sender (E3003)
    bool new_gap = false;
    bool resyncs = false;  // it closes an overdue gap: what waits before it is applied first
};

class Inbox {
public:
    Inbox(Memory &memory, const InboxRules &rules);
    ~Inbox();
    Inbox(const Inbox &) = delete;
    Inbox &operator=(const Inbox &) = delete;

    // Steps 3 to 8. E1001: envelope; E1002: intent; E5002: another session's sid; E3002: seen;
    // E3003: a gap, or late; E2003: too many senders, or bytes that wait. The offset is the
    // field at fault, as a bit of the envelope's, where it has none too; 0: the agent or the
    // intent.
    Status check(const Arrival &frame, std::string_view session_id, SeenMids &seen_mids,
                 InboxResult &out) const;
    // Has its ttl passed by now?
    bool is_expired(const Arrival &frame) const;
    // May this agent of ours send `count` frames? E1004: its name is too long; E2003: the numbers
    // end, or too many agents are ours.
    Status may_send(std::string_view agent, int64_t count) const;

    // Allocates what advance() may need.
    void prepare();
    // The frame with this sequence number has been applied, dropped or refused for good. Ahead of a
    // gap it leaves the gap open. `own`: we sent it.
    void advance(std::string_view agent, int64_t seq, bool own = false);
    // The same, of a state, which closes the gap before it.
    void jump(std::string_view agent, int64_t seq);
    // Keeps a copy of a frame that waits.
    void hold(const Arrival &frame, std::string_view text);

    // A frame that waits.
    struct Held {
        Held *next;  // of its count, in the order of their numbers
        int64_t seq, since_ms;
        size_t size;
        uint32_t mid_len, agent_len, text_len;
        bool untrusted, whole_state;

        std::string_view mid() const { return {bytes(), mid_len}; }
        std::string_view agent() const { return {bytes() + mid_len, agent_len}; }
        std::string_view text() const { return {bytes() + mid_len + agent_len, text_len}; }
        uint64_t cost() const { return size + kHeldCost; }
        const char *bytes() const { return reinterpret_cast<const char *>(this + 1); }
    };
    // One that waited, and is the next of its count or has been passed by; or the lowest of a count
    // below `seq`. NULL: none. drop() frees it.
    const Held *ready() const;
    const Held *below(std::string_view agent, int64_t seq) const;
    // The first whole state that waits in the count whose gap is overdue; of several counts, in the
    // one whose gap is the oldest. NULL: none.
    const Held *overdue(int64_t now_ms) const;
    // When there will be one; INT64_MAX: no state waits.
    int64_t next_overdue() const;
    void drop(const Held *held);

    // The gap of this agent's count: from where to where frames are missing. `to` is 0 where there
    // is none.
    struct Gap {
        int64_t from = 0, to = 0, since_ms = 0;
    };
    Gap gap(std::string_view agent) const;
    uint32_t gaps() const;  // of all counts

    // the sequence number that is awaited of this sender
    int64_t next(std::string_view agent) const;
    // was a frame with this number applied, dropped or refused?
    bool is_used(std::string_view agent, int64_t seq) const;
    uint32_t waiting() const { return waiting_; }

    // Every sender with its numbers, to be kept, and what save() wrote. restore() answers false for
    // anything else.
    void save(Packer &packer) const;
    bool restore(Unpacker &unpacker);
    // Forgets all numbers, not what waits.
    void forget_senders();

private:
    // A number that was used ahead of a gap.
    struct Mark {
        Mark *next;
        int64_t seq;
    };
    struct Sender {
        char agent[kMaxSenderBytes];
        uint8_t agent_len;
        bool own, ready;
        uint32_t marks;
        int64_t next;
        Held *held;
        Mark *ahead;
        const Held *first_state() const;
        int64_t since_ms() const;  // the gap is there; INT64_MAX where nothing waits
        std::string_view name() const { return {agent, agent_len}; }
        bool has_mark(int64_t seq) const;
        void free_marks(Memory &memory);
    };
    // What waits of a frame's count.
    struct Share {
        uint64_t frames = 0, own_frames = 0, own_bytes = 0;
        bool has_mid = false, has_seq = false;  // of the same agent
    };

    Status check_sequence(const Arrival &frame, const Sender *known, const Share &share,
                          InboxResult &out) const;
    Status check_share(const Arrival &frame, int64_t awaited, const Share &share) const;
    Share share_of(const Arrival &frame, const Sender *known) const;
    bool has_capacity() const { return !rules_.by_sender || senders_.size() - own_ < kMaxSenders; }

    std::string_view scope(std::string_view agent) const {
        return rules_.by_sender ? agent.substr(0, kMaxSenderBytes) : std::string_view();
    }
    uint64_t hash(std::string_view name) const;
    const Sender *find(std::string_view agent) const;
    const Sender *oldest_gap() const;  // of those with a state that waits
    Sender &find_or_add(std::string_view agent);
    void set_own(Sender &sender);
    void pass(Sender &sender, int64_t seq);
    void mark(Sender &sender, int64_t seq);
    void update_ready(Sender &sender);

    Memory &memory_;
    const InboxRules rules_;
    const uint64_t seed_;
    Buffer<Sender> senders_;
    Slots index_;             // of senders_, by name: the place and one more
    Buffer<uint32_t> ready_;  // senders whose first frame may be released
    uint64_t own_ = 0;        // senders that are ours
    uint32_t waiting_ = 0, waiting_states_ = 0;
    uint64_t held_bytes_ = 0;
};

}  // namespace accp::delivery
