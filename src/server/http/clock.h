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

// From some moment on; for spans.
inline int64_t clock_us() {
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

// The wall's milliseconds, but never fewer than before: where the clock was set back it goes on at
// half its pace until the wall has caught up, so that nothing which is due has to wait for that.
class LoopClock {
public:
    int64_t ms() { return ms(clock_ms(), clock_us() / 1000); }

    // The same at a time of the wall and a span since some moment.
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
    int64_t now_ms_ = 0;   // that was said last
    int64_t span_ms_ = 0;  // then
};

}  // namespace server
