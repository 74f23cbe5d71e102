// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames as agents say them: the bodies of data/corpus that a new session takes, in turn, under an
// envelope of ours. The mid says which frame it is.
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
    // Frame `number`, the seq-th of this agent in its session.
    std::string text(uint64_t number, unsigned agent, uint64_t seq, Nanos said) const;
    // Which frame a text is; UINT64_MAX: none of these.
    static uint64_t number_of(std::string_view text);
    size_t bodies() const { return bodies_.size(); }

private:
    std::vector<std::string> bodies_;  // ">req:schedule{…}"
};

std::string session_name(uint64_t number);

}  // namespace scale
