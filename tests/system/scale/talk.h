// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Agents: each sends one frame after another, the next one when the last is acknowledged. A frame
// without a reply is repeated byte for byte. Some sessions get far more frames than others.
#pragma once

#include <unordered_map>
#include <vector>

#include "scale/model.h"
#include "scale/site.h"

namespace scale {

struct TalkRules {
    uint32_t sessions = 1000;
    unsigned agents = 4;               // per session
    double rate = 1000;                // frames per second that all agents together want to send
    double exponent = 1.0;             // session r of the list is as hot as 1 / r ^ exponent
    unsigned hot_agents = 0;           // agents of session 0, which send at any rate
    Nanos patience = 6 * kSecond;      // a frame without a reply is repeated after this time
    Nanos pause = 200 * kMillisecond;  // after 503
};

class Talk {
public:
    Talk(Simulation &simulation, Model &model, const Frames &frames, Site &site,
         const TalkRules &rules);

    void begin(Nanos until);
    // Adds a frame of a session's first agent to the store before the simulation begins.
    std::string say_first(uint32_t session);
    bool is_over() const { return speaking_.empty(); }

    const Histogram &took() const { return took_; }
    uint64_t acknowledged() const { return took_.count(); }
    uint64_t repeated() const { return repeated_; }
    uint64_t clock_refusals() const { return clock_refusals_; }
    uint64_t hot_acknowledged() const { return hot_; }
    // The longest time in which no frame was acknowledged.
    Nanos longest_silence() const { return longest_silence_; }

private:
    struct Speaking {
        uint64_t frame = 0;
        unsigned tries = 0;
        uint64_t round = 0;          // number of the attempt
        std::vector<Nanos> waiting;  // planned times of further frames
    };
    void arrive(Nanos until);
    void want(uint32_t session, unsigned agent);
    void say(uint32_t session, unsigned agent, Nanos wanted, Speaking &to);
    void send(uint64_t key);
    Nanos backed_off(Nanos time, unsigned tries);
    void hear(uint64_t key, uint64_t frame, Verdict verdict, accp_status status);
    void end(uint64_t key, Speaking &speaking);
    uint64_t key_of(uint32_t session, unsigned agent) const {
        return uint64_t{session} << 16 | agent;
    }

    Simulation &simulation_;
    Model &model_;
    const Frames &frames_;
    Site &site_;
    TalkRules rules_;
    Zipf zipf_;
    std::unordered_map<uint64_t, uint32_t> seqs_;  // by session and agent
    std::unordered_map<uint64_t, Speaking> speaking_;
    Histogram took_;
    uint64_t repeated_ = 0, clock_refusals_ = 0, hot_ = 0, rounds_ = 0;
    Nanos until_ = 0, last_heard_ = 0, longest_silence_ = 0;
};

}  // namespace scale
