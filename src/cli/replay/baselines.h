// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The methods that a session is compared with: each builds a context from the history alone.
#pragma once

#include <memory>
#include <vector>

#include "cli/replay/history.h"

namespace cli {

// Called at each call of a model, in order.
class Baseline {
public:
    virtual ~Baseline() = default;
    virtual const char *name() const = 0;
    // Appends the parts to send. `budget`: the number of tokens in the session's context at this
    // call.
    virtual void choose(const ReplayHistory &history, uint64_t budget, Parts &out) = 0;
};

// Returns all baselines; the first sends the whole history:
// - `everything`;
// - `last messages`: as many of the newest as fit in the budget, and always the newest;
// - `first and last`: the notices before the first request, the first request, and as many of the
//   newest messages as fit;
// - `first and two`: the notices, the first request and the newest two messages;
// - `stubbed at once`: all messages, with a stub for each tool result except the newest three;
// - `stubbed by 8,000`, `16,000`: as `stubbed at once`, but results are replaced only when the
// whole
//   ones exceed this number of tokens.
std::vector<std::unique_ptr<Baseline>> make_baselines();

}  // namespace cli
