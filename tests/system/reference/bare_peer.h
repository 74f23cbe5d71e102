// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A complete peer that implements only the specification: simple, slow, and without code of the
// library. Section numbers are those of the specification. It counts its own frames from 1 (3.5),
// accepts those of the other side in order (3.7), and replies to a refused frame with an error
// frame (3.6). BareRules has the choices that the specification leaves open.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference/bare_outbox.h"
#include "reference/bare_text.h"
#include "reference/generate.h"

namespace accp_ref {

struct BareRules {
    std::string agent;
    size_t window = 0;  // frames after a gap that it keeps; 0: it refuses them
    Spelling spelling = Spelling::kGrammar;
};

/** A message that a side has sent or received. Times in seconds. */
struct Talk {
    Json message;
    std::string cid;
    int64_t expires = 0;  // 0: never
};

class BarePeer {
public:
    BarePeer(const BareRules &rules, uint64_t seed) : rules_(rules), random_(seed) {}

    // Sends a message without metadata; ttl 0: it does not expire. Returns false if it has no
    // spelling or its chain was cancelled.
    bool say(const Json &message, const std::string &cid, int64_t ttl, int64_t now);
    bool cancel(const std::string &cid, int64_t now);
    // Replaces these members of the shared state; null removes one (5.4).
    bool change_state(const Json &delta, int64_t now);
    void hear(const std::string &text, int64_t now);

    Outbox &outbox() { return outbox_; }
    const std::vector<Talk> &said() const { return said_; }
    const std::vector<Talk> &heard() const { return heard_; }
    const std::set<std::string> &cancelled() const { return cancelled_; }
    const std::map<std::string, Json> &state() const { return state_; }
    // Returns how often each error was sent, and "dropped": refused without a reply.
    const std::map<std::string, size_t> &refusals() const { return refusals_; }

private:
    struct Envelope {
        std::string mid, cid;
        int64_t seq = 0, ts = 0, ttl = 0;
    };

    std::string metadata(const std::string &cid, int64_t ttl, int64_t now);
    bool put(const std::string &intent, const std::string &operation, const Json &payload,
             const std::string &cid, int64_t now);
    bool is_well_formed(const std::string &mid) const;
    bool read_envelope(const Frame &frame, int64_t now, Envelope &out) const;
    void answer(const std::string &code, const std::string &cid, int64_t now);
    void say_error(const std::string &code, const std::string &cid, int64_t now);
    void say_taken(int64_t now);
    void end_chain(const std::string &cid);
    void drop() { ++refusals_["dropped"]; }
    void queue(const Frame &frame, const Envelope &envelope, int64_t now);
    void take(const Frame &frame, const Envelope &envelope, int64_t now);
    void handle(const Frame &frame, const Envelope &envelope, int64_t now);
    void handle_error(const Frame &frame, const std::string &cid);
    void apply_state(const Frame &frame, const std::string &mid, int64_t now);

    const BareRules rules_;
    Random random_;
    Outbox outbox_;
    int64_t next_to_say_ = 1, next_to_hear_ = 1;
    int64_t told_gap_ = 0;  // the missing number in the last E3003
    size_t unconfirmed_ = 0;
    std::string mid_;    // of the last frame that was made
    std::string taken_;  // and of the last frame that was accepted
    std::string told_taken_;
    std::set<std::string> seen_, told_repeats_;
    std::map<int64_t, std::pair<Frame, Envelope>> waiting_;
    std::set<std::string> cancelled_;
    std::map<std::string, Json> state_;
    int64_t state_version_ = 0;
    std::vector<Talk> said_, heard_;
    std::map<std::string, size_t> refusals_;
};

}  // namespace accp_ref
