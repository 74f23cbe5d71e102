// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What others send in place of a history, or as it: what contexts are compared with.
#pragma once

#include <memory>
#include <vector>

#include "cli/replay/history.h"

namespace cli {

// One way to choose what is sent. Called at each call of a model, in their order.
class Rival {
public:
    virtual ~Rival() = default;
    virtual const char *name() const = 0;
    // Appends the parts that are sent. `budget`: how many tokens the session's context has here.
    virtual void choose(const ReplayHistory &history, uint64_t budget, Parts &out) = 0;
};

// All of them, the one first that resends everything:
// - `everything`;
// - `last messages`: as many of the newest as have room in the budget, the newest in any case;
// - `first and last`: notices before the first request and that, then the same;
// - `first and two`: these, and the newest two: nothing of what is between;
// - `stubbed at once`: of each tool's answer but the newest three, only a line that names it;
// - `stubbed by 8,000`, `16,000`: the same, whenever the answers that are whole have more tokens.
std::vector<std::unique_ptr<Rival>> make_rivals();

}  // namespace cli
