// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets that a session has handed to workers, and what it then hears of them: feedback, and the
// end of the task. Each is told to the project once.
//
//   A message of ours that carries a packet and names a worker (`to`) opens a handoff, in its
//   chain. `ack` of operation context, in this chain and by this worker, is its feedback. `done` or
//   `fail`, the same, ends it: a task that is recorded.
//
// Nobody else's message changes it, and the pane is the one that ours named.
#pragma once

#include "frame/message/message.h"
#include "packet/panes/panes.h"

namespace accp::packet {

constexpr size_t kMaxHandoffs = 256;            // the oldest goes first
constexpr size_t kMaxHandoffBytes = 256 << 10;  // of all
constexpr std::string_view kPacketRef = "$cold.packet_";

class Handoffs {
public:
    explicit Handoffs(Memory &memory)
        : memory_(memory), text_(memory), next_(memory), all_(memory), feedback_(memory) {}

    // As bytes() gave it. What is damaged is as if there were none.
    void load(std::string_view bytes);
    std::string_view bytes() const { return text_.view(); }
    // Can a message of this JSON be one that changes something? A quick look.
    bool may_concern(std::string_view json) const;
    bool may_concern_frame(std::string_view frame) const;
    // `ours`: it was said by this side. True: it changed something, which settle() tells.
    bool observe(const message::Message &message, bool ours);
    // Tells the project what it has not heard yet; what cannot be written stays, and all from there
    // on where the lock is held. True: something changed.
    bool report(Panes &panes, uint64_t now_ms);

private:
    enum class State : uint8_t { kOpen, kDone, kFailed };
    struct Handoff {
        std::string_view chain, worker, packet, kind;
        uint64_t pane = 0;  // and 1; 0: of none
        uint64_t tokens = 0;
        State state = State::kOpen;
        bool has_feedback = false;         // feedback
        bool is_feedback_pending = false;  // it is not written yet
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
    Buffer<char> text_, next_;  // all of them, packed
    Buffer<Handoff> all_;       // views of text_
    Feedback feedback_;
    bool is_stale_ = false;  // all_ is not what text_ has, as memory was short
};

}  // namespace accp::packet
