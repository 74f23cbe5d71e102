// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Waiting for programs, and being told to end meanwhile.
#pragma once

#include <poll.h>
#include <cstdint>
#include <vector>

namespace cli {

constexpr int64_t kMaxWaitMs = 60'000;

// From now on SIGINT and SIGTERM come while wait_for() waits, and at no other time.
void handle_signals();
// Did one come?
bool interrupted();

// Until one of these can go on, or so many milliseconds are over, or a signal has come.
void wait_for(std::vector<pollfd> &all, int64_t max_ms);

}  // namespace cli
