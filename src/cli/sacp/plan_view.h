// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The progress of a plan on a terminal, as a Mermaid flow chart, or as an SVG.
#pragma once

#include <string>
#include <vector>

#include "cli/host.h"

namespace cli {

// Shows a line for each step on standard error, and overwrites it when it changes. A plan that is
// longer than the terminal has one line in all. Shows nothing if standard error is not a terminal.
class PlanView {
public:
    PlanView();
    void show(PlanRun &run);
    // Prints a line above the steps.
    void print_line(const std::string &text);

private:
    // Returns the escape sequence that moves to the first line shown and clears all lines.
    std::string rewind(size_t columns) const;

    bool is_on_;
    size_t columns_ = 0;
    std::vector<std::string> shown_;  // lines
};

// Returns the step's label and state in at most `columns` columns. A long label is cut.
std::string step_line(const accp_run_step &step, size_t columns);

// Draws parallels and branches as boxes around their steps, and each step in the colour of its
// state.
std::string mermaid_of(PlanRun &run);
std::string svg_of(PlanRun &run);

}  // namespace cli
