// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tells a person which attempts of a run's steps failed, and why, as it happens.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cli/host.h"

namespace cli {

class FailedAttempts {
public:
    using Say = std::function<void(const std::string &)>;

    // What failed before, as a store's log has it, is not told again.
    FailedAttempts(PlanRun &run, Say say);

    // A tool or an agent is called for this step.
    void called(uint32_t step) { going_on_.insert(step); }
    // Says a line for each attempt that has failed since, up to a number of them.
    void tell(PlanRun &run);
    // Says how many were not told.
    void finish();

private:
    void tell_step(PlanRun &run, uint32_t number, const accp_run_step &step);

    Say say_;
    std::set<uint32_t> going_on_;
    std::vector<uint32_t> seen_;  // attempts, by step
    uint64_t failed_ = 0;
};

}  // namespace cli
