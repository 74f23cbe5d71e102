// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp conformance: starts accp-conformance, which is in the folder of this program.
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/process/child.h"
#include "cli/system/files.h"

namespace cli {

int run_conformance(const Arguments &arguments, Streams &io) {
    io.flush();
    std::vector<std::string> command = {utf8_of(program_beside("accp-conformance"))};
    if (arguments.table) command.push_back("--table");
    else if (!arguments.row.empty()) command.insert(command.end(), {"--row", arguments.row});
    else if (!arguments.vectors.empty())
        command.insert(command.end(), {"--file", arguments.vectors});
    else command.insert(command.end(), {"--level", std::to_string(arguments.level)});
    try {
        become(command);
    } catch (const Failure &failure) {
        throw Failure(std::string(failure.what()) + "; install it beside accp");
    }
}

}  // namespace cli
