// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The mids of a session's own frames: numbers in an order that nobody can foresee, as hexadecimal
// digits (include/accp/frame.h, accp_mid_format).
#pragma once

#include "accp/codec.h"
#include "base/limits.h"
#include "base/permutation.h"
#include "frame/message/reply.h"
#include "session/inflow.h"
#include "store/store.h"

namespace accp::session {

class MidGenerator {
public:
    // issuer: 0, or who of several that send in one session.
    MidGenerator(const PermutationKey &key, uint32_t issuer)
        : counters_(issuer ? kIssuerCounters : kMidCounters),
          permuted_(counters_, key),
          letter_(static_cast<uint32_t>(key.low % 6)),
          issuer_(issuer) {}

    // One that the store has not noted: an earlier handle had another key, and others may send in
    // the same session. Writes kMidBytes to `mid`; `word` is what the store is to note.
    Status next(store::StoreSession &store, std::string_view agent, char *mid, uint64_t &word);

private:
    uint64_t counters_;
    Permutation permuted_;
    uint32_t letter_, issuer_;
    uint64_t count_ = 0;
};

// Frames of ours: sent, sent again, and waited for.

class Outflow {
public:
    Outflow(Driver &driver, Inflow &inflow, Deliveries &deliveries)
        : driver_(driver), inflow_(inflow), deliveries_(deliveries) {}

    // Of the mids: drawn anew whenever a session is opened.
    void set_key(const PermutationKey &key) { mids_ = MidGenerator(key, driver_.rules.issuer); }

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

    Status prepare_write(Scratch &scratch) {
        outcome_ = {};
        return driver_.prepare_write(scratch);
    }
    Status release_waiting_first(int64_t now_ms, Scratch &scratch,
                                 std::initializer_list<std::string_view *> texts,
                                 Buffer<char> &copies);
    Status send_now(std::string_view json, const message::ReplyTo &to, int64_t now_ms,
                    Scratch &scratch, Buffer<char> &out);
    Status send_state_now(std::string_view agent, std::string_view json, int64_t now_ms,
                          Scratch &scratch, Buffer<char> &out);
    Status next_address(std::string_view agent, int64_t now_ms, Address &out);
    Status encode(const message::Message &message, std::string_view json, const Address &address,
                  FrameRefs &refs, Scratch &scratch, Buffer<char> &out);
    Status record_sent(const Sent &sent, Scratch &scratch);
    Status read_sent(const Sent &sent, Scratch &scratch, Frame &out) const;
    Status keep_records(const Sent &sent, std::string_view json, const message::Message &message,
                        Frame &frame, Scratch &scratch);
    Status check_own_agents(std::string_view agent) const;
    Status check_may_retry(uint64_t place, std::string_view chain, Scratch &scratch);
    Status resend_message(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status retry_frames(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status retry_frame(uint64_t place, int64_t ahead, int64_t now_ms, Scratch &scratch,
                       Buffer<char> &out);

    Driver &driver_;
    Inflow &inflow_;
    Deliveries &deliveries_;
    MidGenerator mids_ = MidGenerator({}, 0);
    accp_outcome outcome_ = {};
};

}  // namespace accp::session
