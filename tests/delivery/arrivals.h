// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Received frames, and the mids of a session in a set, for tests of the inbox.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "delivery/inbox.h"

namespace accp_arrivals {

constexpr int64_t kNow = 1'714'000'000'000;

struct SetHistory : accp::delivery::SeenMids {
    accp::Status contains(const accp::delivery::Arrival &frame, bool &seen) override {
        const accp_text &mid = frame.envelope.mid;
        seen = mids.count({std::string(frame.agent), std::string(mid.text, mid.len)}) != 0;
        return {};
    }
    std::set<std::pair<std::string, std::string>> mids;  // by agent
};

// One frame. Fields that a test does not set are valid.
struct Frame {
    explicit Frame(int64_t seq) : mid(mid_of(seq)) { envelope.seq = seq; }
    static std::string mid_of(int64_t n) {
        std::string digits = std::to_string(n);
        return "a" + std::string(11 - digits.size(), '0') + digits;
    }
    accp::delivery::Arrival arrival() const {
        accp::delivery::Arrival result = {agent,  intent,       operation, envelope,
                                          now_ms, known_intent, bytes};
        result.whole_state = whole_state;
        result.envelope.mid = {mid.data(), mid.size()};
        result.envelope.sid = {sid.data(), sid.size()};
        return result;
    }

    std::string mid, sid, agent = "a", intent = "req", operation = "plan";
    accp_envelope envelope = {ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS,
                              0,
                              1,
                              kNow / 1000,
                              0,
                              {},
                              {},
                              {},
                              {}};
    int64_t now_ms = kNow;
    bool known_intent = true;
    uint32_t bytes = 100;
    bool whole_state = false;
};

// An inbox with its seen mids. take() does what a session does with the result of a check.
class Box {
public:
    explicit Box(const accp::delivery::InboxRules &rules = {})
        : memory(accp::private_allocator(), uint64_t{1} << 30), inbox(memory, rules) {}

    accp_status take(const Frame &frame) {
        accp::delivery::Arrival arrival = frame.arrival();
        accp::Status status = inbox.check(arrival, "s", history, last);
        if (status.failed()) return status.code;
        if (last.verdict == accp::delivery::Verdict::kDropped) {
            if (last.advances) inbox.advance(frame.agent, frame.envelope.seq);
            return ACCP_DROPPED;
        }
        if (last.verdict == accp::delivery::Verdict::kWaits) {
            inbox.hold(arrival, frame.mid);
            return ACCP_HELD;
        }
        if (last.resyncs) release([&] { return inbox.below(frame.agent, frame.envelope.seq); });
        if (last.resyncs) inbox.jump(frame.agent, frame.envelope.seq);
        apply(frame.agent, frame.mid, frame.envelope.seq);
        release([&] { return inbox.ready(); });
        return ACCP_OK;
    }

    accp::Memory memory;
    accp::delivery::Inbox inbox;
    SetHistory history;
    accp::delivery::InboxResult last;
    std::string applied;  // the numbers in the order in which they were applied

private:
    void apply(const std::string &agent, const std::string &mid, int64_t seq) {
        history.mids.insert({agent, mid});
        inbox.advance(agent, seq);
        applied += std::to_string(seq) + " ";
    }
    template <class Next>
    void release(Next next_of) {
        while (const accp::delivery::Inbox::Held *next = next_of()) {
            if (!inbox.is_used(next->agent(), next->seq))
                apply(std::string(next->agent()), std::string(next->text()), next->seq);
            inbox.drop(next);
        }
    }
};

}  // namespace accp_arrivals
