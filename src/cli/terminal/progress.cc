// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See progress.h.
#include "cli/terminal/progress.h"

#include <unistd.h>
#include <cinttypes>
#include <cstdio>

namespace cli {

Progress::Progress(const char *unit, bool of_input)
    : unit_(unit),
      on_(isatty(STDERR_FILENO) &&
          (!of_input || (!isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO)))),
      next_(Clock::now() + std::chrono::seconds(1)) {}

void Progress::show(uint64_t records, uint64_t bytes) {
    if (!on_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    std::fprintf(stderr, "\r%" PRIu64 " %s, %" PRIu64 " MiB", records, unit_, bytes >> 20);
}

void Progress::wipe() {
    if (!shown_) return;
    shown_ = false;
    std::fputs("\r\x1b[K", stderr);
}

}  // namespace cli
