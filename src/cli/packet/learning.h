// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context, of what workers say of their packets and what came of tasks.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// accp context feedback, record, stats, advise.
int tell_feedback(const Arguments &arguments, Streams &io);
int record_task(const Arguments &arguments, Streams &io);
int print_stats(const Arguments &arguments, Streams &io);
int advise_depth(const Arguments &arguments, Streams &io);

}  // namespace cli
