// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_project.h. Nothing of the project is opened, or made, before it is asked for.
#include "cli/mcp/project.h"

#include "cli/packet/code_files.h"

namespace cli {

CommandProject::CommandProject(const Arguments &arguments) : arguments_(arguments) {
    arguments_.store.clear();  // that of sessions: the journal is the project's own
}

accp_panes *CommandProject::panes(bool with_journal) {
    std::optional<PanesProject> &project = with_journal ? with_journal_ : plain_;
    if (!project)
        project.emplace(arguments_, with_journal ? JournalUse::kWrite : JournalUse::kNone);
    return project->get();
}

int64_t CommandProject::own_pane() {
    const int64_t pane = pane_of_environment();
    return pane >= 0 ? pane : accp_panes_setting(panes(false), ACCP_PANES_OWN_PANE);
}

const accp_packet_code *CommandProject::code() {
    code_ = read_code(arguments_);
    return code_.get();
}

}  // namespace cli
