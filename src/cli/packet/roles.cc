// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context roles: what to add to the instructions of an orchestrator and of a worker.
#include "cli/host.h"
#include "cli/packet/panes.h"

namespace cli {
int print_role(const Arguments &arguments, Streams &io) {
    if (arguments.orchestrator == arguments.worker)
        throw Failure("context roles takes --orchestrator or --worker");
    const std::string text =
        role_text(arguments.worker ? Role::kWorker : Role::kOrchestrator, PaneInterface::kCommands);
    if (!arguments.json) {
        io.out.text.append(text);
        return 0;
    }
    io.out.text.append(arguments.worker ? R"({"role":"worker","text":)"
                                        : R"({"role":"orchestrator","text":)");
    append_json_string(text, io.out.text);
    io.out.text.append("}\n");
    return 0;
}

}  // namespace cli
