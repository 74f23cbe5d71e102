// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy doctor: checks the proxy, its upstreams, and whether agents use it.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// Returns 0 if all checks pass, else 1. Throws Failure for bad usage.
int examine_proxy(const Arguments &arguments, Streams &io);

}  // namespace cli
