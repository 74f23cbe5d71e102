// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp sacp that run plans.
#pragma once

#include "cli/arguments.h"
#include "cli/streams.h"

namespace cli {

// Each answers the exit status.
int sacp_trace(const Arguments &arguments, Streams &io);
int sacp_run(const Arguments &arguments, Streams &io);

}  // namespace cli
