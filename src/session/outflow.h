// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sent frames: sending, retrying, and waiting for answers.
#pragma once

#include "accp/codec.h"
#include "base/limits.h"
#include "base/random.h"
#include "frame/message/message.h"
#include "session/inflow.h"
#include "store/store.h"

namespace accp::session {

class MidGenerator {
public:
    // issuer: 0, or the number of one of several senders in a session.
    MidGenerator(const PermutationKey &key, uint32_t issuer)
        : counters_(issuer ? kIssuerCounters : kMidCounters),
          permuted_(counters_, key),
          letter_(static_cast<uint32_t>(key.low % 6)),
          issuer_(issuer) {}

    // Creates a mid that the store has not recorded: an earlier handle had another key, and others
    // may send in the same session. Writes kMidBytes to `mid`; `word` is its key in the store.
    Status next(store::StoreSession &store, std::string_view agent, char *mid, uint64_t &word);

private:
    uint64_t counters_;
    Permutation permuted_;
    uint32_t letter_, issuer_;
    uint64_t count_ = 0;
};

// Sends messages as frames, sends frames again, and expires requests.
class Outflow {
public:
    Outflow(Driver &driver, Inflow &inflow, Deliveries &deliveries)
        : driver_(driver), inflow_(inflow), deliveries_(deliveries) {}

    // The key of the mids, which is random for each open session.
    void set_key(const PermutationKey &key) { mids_ = MidGenerator(key, driver_.rules.issuer); }

    // Encodes a JSON message as a frame with mid, seq and ts, and appends it to `out`. The offset
    // of a failure is a byte of the JSON.
    Status send(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The same for an answer to `request`, the JSON of a delivery. If the message has no cid or
    // operation, those of the request are used.
    Status reply(std::string_view request, std::string_view json, int64_t now_ms, Scratch &scratch,
                 Buffer<char> &out);
    // Appends the frame that changes the shared state of the other side to this JSON object, and
    // changes the own state. If nothing changed, nothing is appended.
    Status send_state(std::string_view agent, std::string_view json, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);
    // Appends the sent frame of a record, to be sent again.
    Status retry(uint64_t number, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // Expires requests whose deadline has passed. Each becomes a delivery with E3001.
    Status expire(int64_t now_ms, Scratch &scratch);

    // The outcome of the last send; empty if it failed.
    const accp_outcome &outcome() const { return outcome_; }

private:
    class PartEnvelopes;
    // The envelope of a frame to be sent.
    struct Address {
        accp_envelope envelope;
        char mid[kMidBytes];
        uint64_t mid_word = 0;
    };
    // The frames of one message; parts are separated by newlines.
    struct Sent {
        std::string_view frames;
        uint64_t next_key;
        uint64_t mid_word;  // of one frame; 0: not yet known
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
    Status check_may_retry(uint64_t number, std::string_view chain, Scratch &scratch);
    Status resend_message(uint64_t number, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status retry_frames(uint64_t number, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status find_first_part(uint64_t &number, Scratch &scratch);
    Status retry_frame(uint64_t number, int64_t ahead, int64_t now_ms, Scratch &scratch,
                       Buffer<char> &out);

    Driver &driver_;
    Inflow &inflow_;
    Deliveries &deliveries_;
    MidGenerator mids_ = MidGenerator({}, 0);
    accp_outcome outcome_ = {};
};

}  // namespace accp::session
