// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Prints the figures of a replay. docs/contexts.md explains them.
#pragma once

#include <string>

#include "cli/replay/figures.h"

namespace cli {

// Appends a table of means over the runs.
void append_replay_table(const ReplayFigures &figures, std::string &out);
// Appends one JSON object with all figures, and a newline.
void append_replay_json(const ReplayFigures &figures, std::string &out);

// Returns an SVG with three diagrams over the calls of a run: the bill so far, the tokens of each
// context, and its recall. New checkpoints are marked. Implemented in plot.cc.
std::string plot_replay(const ReplayFigures &figures, const RunFigures &run);

}  // namespace cli
