// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp: plans of agents, and who can carry them out. One action a run; a filter each.
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/sacp_actions.h"

namespace cli {

int run_sacp(const Arguments &arguments, Streams &io) {
    struct Action {
        const char *name;
        int (*run)(const Arguments &, Streams &);
    };
    static constexpr Action kActions[] = {
        {"query", run_queries},
    };
    for (const Action &action : kActions)
        if (arguments.action == action.name) return action.run(arguments, io);
    throw Failure("no such action: " + arguments.action);
}

}  // namespace cli
