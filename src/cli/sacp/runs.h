// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp sacp that run plans.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// Each answers the exit status.
int sacp_trace(const Arguments &arguments, Streams &io);
int sacp_run(const Arguments &arguments, Streams &io);
int sacp_agent(const Arguments &arguments, Streams &io);

// What they have in common, as the arguments say. Each throws Failure.
// --policy as compact JSON, or `otherwise`.
std::string policy_of(const Arguments &arguments, const char *otherwise);
// How long a tool's answer may be.
size_t max_output_of(const std::string &policy);

}  // namespace cli
