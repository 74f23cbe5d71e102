// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How far a plan has come: for a terminal, as a Mermaid flow chart, or as an SVG.
#pragma once

#include <string>
#include <vector>

#include "cli/host.h"

namespace cli {

// A line for each step, shown on standard error and written over as it changes; one line in all of
// plans that are longer than the terminal. Nothing where standard error is no terminal.
class PlanView {
public:
    PlanView();
    void show(PlanRun &run);
    // A line for people, which stays above.
    void say(const std::string &text);

private:
    // Back to the first of the lines that are shown.
    std::string rewind(size_t columns) const;

    bool on_;
    size_t columns_ = 0;
    std::vector<std::string> shown_;  // lines
};

// The step as a line of at most so many columns: what it is, cut where it is too long, and how far
// it has come.
std::string step_line(const accp_run_step &step, size_t columns);

// Parallels and their branches as boxes around their steps, each step in the colour of its state.
std::string mermaid_of(PlanRun &run);
std::string svg_of(PlanRun &run);

}  // namespace cli
