// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp sacp, each in a file of its own.
#pragma once

#include "cli/arguments.h"
#include "cli/streams.h"

namespace cli {

// sacp_query.cc: questions to a registry of agents, and cases of such questions.
int run_queries(const Arguments &arguments, Streams &io);

}  // namespace cli
