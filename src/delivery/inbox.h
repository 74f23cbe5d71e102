// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The order of received frames: the checks of docs/wire.md 8 that do not read the payload.
// Specification 3.5, 3.7; decisions A19 to A32.
//
// An inbox is a pure state machine. Time is an argument, and the mids of earlier frames are in
// SeenMids. The caller checks a frame, stores the result, and then updates the inbox with advance()
// or hold(), which can only fail when memory is short. A frame that could not be stored therefore
// leaves no trace. The size of an inbox is bounded by its window, not by its history.
//
// A count is one series of sequence numbers, with its own gap, window and time. All senders share
// one count; under by_sender each has its own. No sender can take the place of another: new senders
// are refused before known ones, and each sender with waiting frames has a share of the window and
// of the bytes.
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
    // frames that may wait for an earlier one; 0: none
    uint32_t window = kReorderWindow;
    // after this time a gap is overdue, and a whole state with a higher sequence number closes it
    int64_t gap_ms = kGapMs;
    int64_t jump = kMaxJump;        // numbers that such a state may skip
    int64_t skew_ms = 0;            // clock difference that is added to a ttl
    int64_t future_ms = kFutureMs;  // how far a ts may be ahead
    bool by_sender = false;         // each sender has its own count (decision A22)
    bool require_ts = false;
    bool require_sid = false;
    bool loose_mid =
        false;  // decision A19: any 1 to 64 safe characters, not only twelve hex digits
};

// A received frame. Views; times are milliseconds since the epoch.
struct Arrival {
    std::string_view agent, intent, operation;
    accp_envelope envelope;
    int64_t now_ms;
    bool known_intent;
    uint32_t bytes = 0;      // length of its text
    bool untrusted = false;  // its content is untrusted
    uint64_t mid_word = 0;   // the key of its mid in SeenMids
    // It contains the whole shared state, so it may close a gap before it. Set only for a frame
    // that comes too early.
    bool whole_state = false;

    bool is_state() const { return intent == "sync" && operation == "state"; }
};

// The mids that a session has received before.
class SeenMids {
public:
    // Sets `seen` if this session has ever accepted the frame's mid from its agent.
    virtual Status contains(const Arrival &frame, bool &seen) = 0;

protected:
    ~SeenMids() = default;
};

enum class Verdict : uint8_t {
    kNext,     // apply it now, and advance() past it; a `cancel` may be ahead of a gap
    kWaits,    // hold() it until the earlier frames have arrived
    kDropped,  // send no reply (decision A21); advance() if `advances`
};

struct InboxResult {
    Verdict verdict = Verdict::kNext;
    bool advances = false;  // of a dropped frame: its sequence number is used
    // of a frame that waits: it is the first after the gap, so the sender must be notified (E3003)
    bool new_gap = false;
    bool resyncs = false;  // it closes an overdue gap: apply the frames that wait before it first
};

class Inbox {
public:
    Inbox(Memory &memory, const InboxRules &rules);
    ~Inbox();
    Inbox(const Inbox &) = delete;
    Inbox &operator=(const Inbox &) = delete;

    // Checks steps 3 to 8 of docs/wire.md 8. E1001: envelope; E1002: intent; E5002: sid of another
    // session; E3002: repeated mid; E3003: out of order; E2003: too many senders, or too many bytes
    // wait. The offset of the error is the ACCP_ENVELOPE_ bit of the field that is wrong or
    // missing, or 0 for the agent or the intent.
    Status check(const Arrival &frame, std::string_view session_id, SeenMids &seen_mids,
                 InboxResult &out) const;
    // Returns whether the ttl of the frame has passed.
    bool is_expired(const Arrival &frame) const;
    // Checks that an agent of the host may send `count` frames. E1004: its name is too long; E2003:
    // no numbers are left, or the host has too many agents.
    Status may_send(std::string_view agent, int64_t count) const;

    // Allocates the memory that advance() may need.
    void prepare();
    // Marks a sequence number as used: the frame was applied, dropped or refused. A number ahead of
    // a gap leaves the gap open. `own`: the host sent the frame.
    void advance(std::string_view agent, int64_t seq, bool own = false);
    // Marks the number of a state as used. This closes the gap before it.
    void jump(std::string_view agent, int64_t seq);
    // Keeps a copy of a frame that waits.
    void hold(const Arrival &frame, std::string_view text);

    // A frame that waits.
    struct Held {
        Held *next;  // of the same count, in the order of their numbers
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
    // ready() returns a frame that no longer has to wait: it is next in its count, or its number is
    // already used. below() returns the frame with the lowest number below `seq` in the agent's
    // count. nullptr: none. Call drop() to free a frame.
    const Held *ready() const;
    const Held *below(std::string_view agent, int64_t seq) const;
    // Returns the first whole state that waits behind an overdue gap. If several counts have one,
    // the oldest gap is chosen. nullptr: none.
    const Held *overdue(int64_t now_ms) const;
    // The time when overdue() will return a state; INT64_MAX: no state waits.
    int64_t next_overdue() const;
    void drop(const Held *held);

    // The range of missing numbers in the agent's count. If nothing is missing, `to` is 0.
    struct Gap {
        int64_t from = 0, to = 0, since_ms = 0;
    };
    Gap gap(std::string_view agent) const;
    uint32_t gaps() const;  // of all counts

    // the sequence number that is expected from this agent
    int64_t next(std::string_view agent) const;
    // returns whether a frame with this number was applied, dropped or refused
    bool is_used(std::string_view agent, int64_t seq) const;
    uint32_t waiting() const { return waiting_; }

    // Save every sender with its numbers, and restore them. restore() returns false for other
    // bytes.
    void save(Packer &packer) const;
    bool restore(Unpacker &unpacker);
    // Removes all numbers, but not the frames that wait.
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
        int64_t since_ms() const;  // since when the gap exists; INT64_MAX: nothing waits
        std::string_view name() const { return {agent, agent_len}; }
        bool has_mark(int64_t seq) const;
        void free_marks(Memory &memory);
    };
    // The frames that wait in the same count, and those of the same agent.
    struct Share {
        uint64_t frames = 0, own_frames = 0, own_bytes = 0;
        bool has_mid = false, has_seq = false;  // of the same agent
    };

    Status check_sequence(const Arrival &frame, const Sender *sender, const Share &share,
                          InboxResult &out) const;
    Status check_share(const Arrival &frame, int64_t awaited, const Share &share) const;
    Share share_of(const Arrival &frame, const Sender *sender) const;
    bool has_capacity() const { return !rules_.by_sender || senders_.size() - own_ < kMaxSenders; }

    std::string_view scope(std::string_view agent) const {
        return rules_.by_sender ? agent.substr(0, kMaxSenderBytes) : std::string_view();
    }
    uint64_t hash(std::string_view name) const;
    const Sender *find(std::string_view agent) const;
    const Sender *oldest_gap() const;  // of the senders with a state that waits
    Sender &find_or_add(std::string_view agent);
    void set_own(Sender &sender);
    void pass(Sender &sender, int64_t seq);
    void mark(Sender &sender, int64_t seq);
    void update_ready(Sender &sender);

    Memory &memory_;
    const InboxRules rules_;
    const uint64_t seed_;
    Buffer<Sender> senders_;
    Slots index_;             // of senders_, by name: index + 1
    Buffer<uint32_t> ready_;  // senders whose first frame may be released
    uint64_t own_ = 0;        // senders that belong to the host
    uint32_t waiting_ = 0, waiting_states_ = 0;
    uint64_t held_bytes_ = 0;
};

}  // namespace accp::delivery
