// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What ended the waiting of a request with a deadline, as a log has it.
#pragma once

#include "cli/frames/frame_checker.h"
#include "cli/session/log.h"

namespace cli {

struct RequestEnd {
    enum Kind { kWaits, kAnswered, kTimedOut, kCancelled } kind = kWaits;
    uint64_t record = 0;
    std::string intent;     // of the answer
    bool repeated = false;  // it was sent again later

    // It was not answered in time, and nobody has sent it again.
    bool is_given_up() const { return kind == kTimedOut && !repeated; }
    std::string text() const;
};

RequestEnd end_of_request(const SessionLog &log, const LogLine &request, FrameChecker &checker);

}  // namespace cli
