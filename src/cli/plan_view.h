// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How far a plan has come: for a terminal, as a Mermaid flow chart, or as an SVG.
#pragma once

#include <string>

#include "cli/sacp_plan.h"

namespace cli {

// A line for each step, shown on standard error and written over as it changes; of long plans one
// line in all. Nothing where standard error is no terminal.
class PlanView {
public:
    PlanView();
    void show(PlanRun &run);
    // A line for people, which stays above.
    void say(const std::string &text);

private:
    bool on_;
    uint32_t lines_ = 0;
    std::string shown_;
};

// Parallels and their branches as boxes around their steps, each step in the colour of its state.
std::string mermaid_of(PlanRun &run);
std::string svg_of(PlanRun &run);

}  // namespace cli
