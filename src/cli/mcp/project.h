// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The project that a server of ours works on, as the arguments, the environment and the
// configuration name it.
#pragma once

#include <optional>

#include "cli/arguments/arguments.h"
#include "cli/packet/panes_project.h"
#include "server/mcp/tools.h"

namespace cli {

class CommandProject : public server::McpProject {
public:
    // Of the arguments --directory, --config, --code and --index count.
    explicit CommandProject(const Arguments &arguments);

    accp_panes *panes(bool with_journal) override;
    int64_t own_pane() override;
    const accp_packet_code *code() override;

private:
    Arguments arguments_;
    std::optional<PanesProject> plain_, with_journal_;
    Handle<accp_packet_code> code_;
};

}  // namespace cli
