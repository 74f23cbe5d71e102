// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The project whose packets the command works on: its directory, its configuration, its journal;
// and which pane is meant.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// What the command keeps of a project.
std::string project_folder(const Arguments &arguments);
// What is below it is no link to somewhere else: else throws Failure.
void refuse_link(const std::string &path);

enum class JournalUse {
    kNone,   // none is opened, or made
    kRead,   // one that is there is read
    kWrite,  // it is made where it is missing
};

class PanesProject {
public:
    // Throws Failure.
    PanesProject(const Arguments &arguments, JournalUse use);
    accp_panes *get() const { return panes_.get(); }
    // The pane's own packet, whatever its checksum is.
    accp_status read_as_it_stands(int64_t pane, accp_packet *packet,
                                  accp_error *err = nullptr) const {
        return accp_panes_read(panes_.get(), pane, ACCP_PANES_UNVERIFIED, 0, packet, err);
    }
    int64_t setting(int32_t setting) const { return accp_panes_setting(panes_.get(), setting); }

private:
    Handle<accp_config> config_;
    Handle<accp_store> store_;
    Handle<accp_panes> panes_;
};

// Throws Failure where --pane and --shared are both said, or --shared of an action that has none.
void check_place(const Arguments &arguments);
// Of --pane or --shared; throws Failure where neither is said.
int64_t said_pane(const Arguments &arguments);
// AGENTWIRE_PANE, else TMUX_PANE; -1: neither is set. Throws Failure where one is no pane.
int64_t pane_of_environment();
// The same, else that of the environment (AGENTWIRE_PANE, TMUX_PANE) or the configuration.
int64_t own_pane(const Arguments &arguments, const PanesProject &project);

// How the command is told of it: --pane 1
std::string place_option(int64_t pane);

// Depth and budget, where the arguments do not say them, by the configuration.
void apply_settings(const Arguments &arguments, accp_packet_request &request);

// What is not there, or not as it should be, is refused: told, with what to do, and 1. That the
// call cannot be made throws Failure.
int refuse_pane(int64_t pane, const accp_error &err, Streams &io, const std::string &advice = {});
// The same of what is of no pane; `what` it is.
int refuse(const std::string &what, const accp_error &err, Streams &io,
           const std::string &advice = {});

}  // namespace cli
