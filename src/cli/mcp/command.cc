// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp: the Model Context Protocol.
#include "cli/mcp/actions.h"

#include "cli/commands.h"
#include "cli/host.h"

namespace cli {

int run_mcp(const Arguments &arguments, Streams &io) {
    return arguments.action == "wrap" ? wrap_mcp(arguments, io) : serve_mcp(arguments, io);
}

}  // namespace cli
