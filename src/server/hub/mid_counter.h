// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The mids of frames that a server says by itself, one after another from anywhere on.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "server/library/handles.h"

namespace server {

class MidCounter {
public:
    // `letter`: of accp_mid_format(); two counters of one server have two.
    explicit MidCounter(uint32_t letter)
        : letter_(letter),
          count_((uint64_t{std::random_device()()} << 16 ^ std::random_device()()) % kMids) {}

    std::string next() {
        char mid[12];
        count_ = (count_ + 1) % kMids;
        accp_mid_format(letter_, 0, count_, mid, nullptr);
        return {mid, sizeof mid};
    }

private:
    static constexpr uint64_t kMids = 100'000'000'000;  // what accp_mid_format() can count

    uint32_t letter_;
    uint64_t count_;
};

}  // namespace server
