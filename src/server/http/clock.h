// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The clocks of the event loop.
#pragma once

#include <chrono>
#include <cstdint>

namespace server {

inline int64_t clock_ms() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

// From an arbitrary start; for durations.
inline int64_t clock_us() {
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

// The wall clock in milliseconds, but never less than before. After the clock was set back, it
// continues at half speed until the wall clock has caught up. So deadlines are not delayed.
class LoopClock {
public:
    int64_t ms() { return ms(clock_ms(), clock_us() / 1000); }

    // The same for given readings of the two clocks.
    int64_t ms(int64_t wall_ms, int64_t span_ms) {
        const int64_t passed = (span_ms - span_ms_) / 2;
        if (!now_ms_ || wall_ms >= now_ms_ + passed) {
            now_ms_ = wall_ms;
            span_ms_ = span_ms;
        } else if (passed > 0) {
            now_ms_ += passed;
            span_ms_ += 2 * passed;
        }
        return now_ms_;
    }

private:
    int64_t now_ms_ = 0;   // the last result
    int64_t span_ms_ = 0;  // the other clock at that time
};

}  // namespace server
