// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp: messages of the Semantic Agent Communication Protocol.
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/sacp_actions.h"

namespace cli {

int run_sacp(const Arguments &arguments, Streams &io) {
    if (arguments.action == "trace") return trace_plans(arguments, io);
    if (arguments.action == "run") return run_plan(arguments, io);
    throw Failure("no such action of sacp: " + arguments.action);
}

}  // namespace cli
