// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A replay's figures as text; docs/context.md says how to read them.
#pragma once

#include <string>

#include "cli/replay_figures.h"

namespace cli {

// Appends a table for people.
void write_replay_report(const ReplayFigures &figures, std::string &out);
// Appends one JSON object with all of it, and a newline.
void write_replay_json(const ReplayFigures &figures, std::string &out);

}  // namespace cli
