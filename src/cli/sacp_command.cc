// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp: messages by which agents plan for each other.
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/sacp_runs.h"

namespace cli {
namespace {

struct Action {
    const char *name;
    int (*run)(const Arguments &, Streams &);
};

constexpr Action kActions[] = {{"run", sacp_run}, {"trace", sacp_trace}};

}  // namespace

int run_sacp(const Arguments &arguments, Streams &io) {
    for (const Action &action : kActions)
        if (arguments.action == action.name) return action.run(arguments, io);
    throw Failure("no such action: " + arguments.action);
}

}  // namespace cli
