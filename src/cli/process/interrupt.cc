// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See interrupt.h.
#include "cli/process/interrupt.h"

#include <signal.h>
#include <algorithm>

namespace cli {
namespace {

volatile sig_atomic_t told_to_end = 0;
void tell_to_end(int) { told_to_end = 1; }

}  // namespace

void handle_signals() {
    struct sigaction action = {};
    action.sa_handler = tell_to_end;
    sigset_t both;
    sigemptyset(&both);
    for (int one : {SIGINT, SIGTERM}) {
        sigaddset(&both, one);
        sigaction(one, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &both, nullptr);
}

bool interrupted() { return told_to_end; }

void wait_for(std::vector<pollfd> &all, int64_t max_ms) {
    max_ms = std::clamp<int64_t>(max_ms, 0, kMaxWaitMs);
    const timespec time = {max_ms / 1000, max_ms % 1000 * 1'000'000};
    sigset_t none;
    sigemptyset(&none);
    ppoll(all.data(), all.size(), &time, &none);
}

}  // namespace cli
