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

}  // namespace server
