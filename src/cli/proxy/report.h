// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy report FILE: sums up a log of calls.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

int report_calls(const Arguments &arguments, Streams &io);

}  // namespace cli
