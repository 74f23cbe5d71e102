// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Realistic frames: the bodies of data/corpus that a new session accepts, in turn, with an envelope
// of the simulation. The mid identifies the frame.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scale/simulation.h"

namespace scale {

constexpr int64_t kEpochMs = 1'714'000'000'000;

inline int64_t clock_ms(Nanos now, Nanos skew) { return kEpochMs + (now + skew) / kMillisecond; }

class Frames {
public:
    Frames();
    // Returns frame `number`, the seq-th of this agent in its session.
    std::string text(uint64_t number, unsigned agent, uint64_t seq, Nanos said) const;
    // Returns the number of a frame from its text; UINT64_MAX if it is not one of these.
    static uint64_t number_of(std::string_view text);
    size_t bodies() const { return bodies_.size(); }

private:
    std::vector<std::string> bodies_;  // ">req:schedule{…}"
};

std::string session_name(uint64_t number);

}  // namespace scale
