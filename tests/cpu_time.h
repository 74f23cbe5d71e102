// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Costs in processor time. Unlike the time of a clock, it does not grow while other processes run.
#pragma once

#include <ctime>

#include <algorithm>

namespace accp_test {

// The step of the clock: Windows counts the ticks of a timer.
#ifdef _WIN32
constexpr double kClockTick = 0.016;
#else
constexpr double kClockTick = 0.001;
#endif

// Returns the processor time of this process in seconds.
inline double cpu_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Returns the processor time of the cheapest of a few runs.
template <class Work>
double cpu_seconds_of(Work work, int runs = 3) {
    double least = 1e9;
    for (int i = 0; i < runs; ++i) {
        const double begin = cpu_seconds();
        work();
        least = std::min(least, cpu_seconds() - begin);
    }
    return least;
}

}  // namespace accp_test
