// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames of ours: sent, sent again, and waited for.
#pragma once

#include "accp/codec.h"
#include "frame/message/message.h"
#include "session/inflow.h"
#include "session/mids.h"

namespace accp::session {

class Outflow {
public:
    Outflow(Driver &driver, Inflow &inflow, Deliveries &deliveries)
        : driver_(driver), inflow_(inflow), deliveries_(deliveries) {}

    // Of the mids: drawn anew whenever a session is opened.
    void set_key(const PermutationKey &key) { mids_ = Mids(key, driver_.rules.issuer); }

    // A message of ours, in JSON, as a frame with mid, seq and ts: appended to `out`. The offset of
    // a failure is a byte of the JSON.
    Status send(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The same for an answer to `request`, the JSON of a delivery: its cid and operation are that
    // one's where it names none.
    Status reply(std::string_view request, std::string_view json, int64_t now_ms, Scratch &scratch,
                 Buffer<char> &out);
    // The frame that makes the other side's shared state this JSON object; empty where nothing
    // changed. It is ours from now on.
    Status send_state(std::string_view agent, std::string_view json, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);
    // The frame of that record, one of ours, to be sent again: appended to `out`.
    Status retry(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // Requests of ours whose deadline has passed: they wait no more, and each is a delivery, E3001.
    Status expire(int64_t now_ms, Scratch &scratch);

    // What became of the message that was sent last; nothing where it was refused.
    const accp_outcome &outcome() const { return outcome_; }

private:
    class PartEnvelopes;
    // What a frame goes out as.
    struct Address {
        accp_envelope envelope;
        char mid[kMidBytes];
        uint64_t mid_word = 0;
    };
    // What goes out, perhaps in parts with a newline between two.
    struct Sent {
        std::string_view frames;
        uint64_t next_key;
        uint64_t mid_word;  // of one frame; 0: nobody has made it yet
        bool untrusted;
        int64_t now_ms;
        bool in_parts = frames.find('\n') != std::string_view::npos;

        std::string_view last() const { return frames.substr(frames.rfind('\n') + 1); }
    };

    Status begin(Scratch &scratch) {
        outcome_ = {};
        return driver_.begin(scratch);
    }
    Status let_pass(int64_t now_ms, Scratch &scratch,
                    std::initializer_list<std::string_view *> texts, Buffer<char> &copies);
    Status send_now(std::string_view json, const message::ReplyTo &to, int64_t now_ms,
                    Scratch &scratch, Buffer<char> &out);
    Status send_state_now(std::string_view agent, std::string_view json, int64_t now_ms,
                          Scratch &scratch, Buffer<char> &out);
    Status address(std::string_view agent, int64_t now_ms, Address &out);
    Status encode(const message::Message &message, std::string_view json, const Address &address,
                  FrameRefs &refs, Scratch &scratch, Buffer<char> &out);
    Status keep(const Sent &sent, Scratch &scratch);
    Status read(const Sent &sent, Scratch &scratch, Frame &out) const;
    Status keep_records(const Sent &sent, std::string_view json, const message::Message &message,
                        Frame &frame, Scratch &scratch);
    Status speak_as(std::string_view agent) const;
    Status check_answer(uint64_t place, std::string_view chain, Scratch &scratch);
    Status send_again(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status retry_frames(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status retry_frame(uint64_t place, int64_t ahead, int64_t now_ms, Scratch &scratch,
                       Buffer<char> &out);

    Driver &driver_;
    Inflow &inflow_;
    Deliveries &deliveries_;
    Mids mids_ = Mids({}, 0);
    accp_outcome outcome_ = {};
};

}  // namespace accp::session
