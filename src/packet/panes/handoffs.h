// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The packets that a session has handed to workers, and what the workers report: feedback, and the
// end of the task. Each is reported to the project once.
//
// A message of this side that carries a packet and names a worker (`to`) opens a handoff in its
// chain. In this chain, the worker's `ack` of operation context is its feedback, and its `done` or
// `fail` ends the task. Messages of others have no effect. The pane is the one in this side's
// message.
#pragma once

#include "frame/message/message.h"
#include "packet/panes/panes.h"

namespace accp::packet {

constexpr size_t kMaxHandoffs = 256;            // the oldest ones are dropped
constexpr size_t kMaxHandoffBytes = 256 << 10;  // of all handoffs together
constexpr std::string_view kPacketRef = "$cold.packet_";

class Handoffs {
public:
    explicit Handoffs(Memory &memory)
        : memory_(memory), text_(memory), next_(memory), all_(memory), feedback_(memory) {}

    // Loads the result of bytes(). Damaged bytes are treated as empty.
    void load(std::string_view bytes);
    std::string_view bytes() const { return text_.view(); }
    // A quick check whether a message may change a handoff.
    bool may_concern(std::string_view json) const;
    bool may_concern_frame(std::string_view frame) const;
    // `ours`: this side sent the message. Returns true if a handoff changed, see report().
    bool observe(const message::Message &message, bool ours);
    // Writes pending feedback and ended tasks to the project. Whatever cannot be
    // written is kept. If another process holds the lock, everything after it is kept too. Returns
    // true if something changed.
    bool report(Panes &panes, uint64_t now_ms);

private:
    enum class State : uint8_t { kOpen, kDone, kFailed };
    struct Handoff {
        std::string_view chain, worker, packet, kind;
        uint64_t pane = 0;  // pane + 1; 0: none
        uint64_t tokens = 0;
        State state = State::kOpen;
        bool has_feedback = false;         // received
        bool is_feedback_pending = false;  // not yet written to the project
        std::string_view gaps, unused;
    };

    void unpack();
    void refresh() {
        if (is_stale_) unpack();
    }
    Handoff *find(std::string_view chain, std::string_view worker);
    bool open(const message::Message &message, std::string_view chain);
    bool take_feedback(const message::Message &message, Handoff &handoff);
    void write();
    static Status record(const Handoff &handoff, Panes &panes, uint64_t now_ms);

    Memory &memory_;
    Buffer<char> text_, next_;  // all handoffs, packed
    Buffer<Handoff> all_;       // views into text_
    Feedback feedback_;
    bool is_stale_ = false;  // all_ must be unpacked again after a lack of memory
};

}  // namespace accp::packet
