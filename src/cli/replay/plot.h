// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A replay's figures as a picture.
#pragma once

#include <string>

#include "cli/replay/figures.h"

namespace cli {

// An SVG with three diagrams over the calls of a run: what was billed so far, the tokens of each
// context, and its recall; with a mark where something was folded.
std::string replay_plot(const ReplayFigures &figures);

}  // namespace cli
