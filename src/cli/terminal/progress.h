// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How far long work has come, on a terminal: one line that is written over and wiped before
// anything else is.
#pragma once

#include <chrono>
#include <cstdint>

namespace cli {

class Progress {
public:
    // Shows something only where standard error is a terminal and neither standard input nor
    // standard output is one.
    Progress() : Progress("records", true) {}
    // The same of other things than records; of_input: unless they are, standard input and output
    // may be terminals.
    Progress(const char *unit, bool of_input);

    // To be called now and then: shows the counts after a second, and then five times a second.
    void show(uint64_t records, uint64_t bytes);
    void wipe();

private:
    using Clock = std::chrono::steady_clock;
    const char *unit_;
    bool on_;
    bool shown_ = false;
    Clock::time_point next_;
};

}  // namespace cli
