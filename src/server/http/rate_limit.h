// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// So many calls a second on average, and those of one second at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace server {

class RateLimit {
public:
    // 0: any number.
    explicit RateLimit(uint64_t per_second) { set(per_second); }

    // Another number; what was counted stays.
    void set(uint64_t per_second) {
        interval_us_ = per_second ? kSecondUs / static_cast<int64_t>(per_second) : 0;
    }

    // Counts a call, and answers 0, where one may come now. Else the milliseconds until then, at
    // least 1; nothing is counted.
    int64_t take(int64_t now_ms) {
        const int64_t wait_ms = wait(now_ms);
        if (!wait_ms) charge(now_ms);
        return wait_ms;
    }
    // Counts a call that has come already. The milliseconds until the next may come; 0: now.
    int64_t charge(int64_t now_ms) {
        due_us_ = std::max(due_us_, now_ms * kMs) + interval_us_;
        return wait(now_ms);
    }

private:
    static constexpr int64_t kMs = 1000, kSecondUs = 1'000'000;

    int64_t wait(int64_t now_ms) const {
        const int64_t early_us = due_us_ + interval_us_ - (now_ms * kMs + kSecondUs);
        return interval_us_ && early_us > 0 ? (early_us + kMs - 1) / kMs : 0;
    }

    int64_t interval_us_ = 0;
    int64_t due_us_ = 0;  // when all that was counted had come, one after the other
};

}  // namespace server
