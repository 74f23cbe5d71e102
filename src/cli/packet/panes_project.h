// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The project whose packets the command works on: its directory, configuration and journal; and the
// pane that the arguments select.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// The folder for the command's files in a project.
std::string project_folder(const Arguments &arguments);
// Throws Failure if the path is a symbolic link.
void refuse_link(const std::string &path);

enum class JournalUse {
    kNone,   // do not open or create the journal
    kRead,   // read it if it exists
    kWrite,  // create it if it does not exist
};

class PanesProject {
public:
    // Throws Failure.
    PanesProject(const Arguments &arguments, JournalUse use);
    accp_panes *get() const { return panes_.get(); }
    // Reads the pane's own packet without a check of its checksum.
    accp_status read_unverified(int64_t pane, accp_packet *packet,
                                accp_error *err = nullptr) const {
        return accp_panes_read(panes_.get(), pane, 0, ACCP_PANES_UNVERIFIED, packet, err);
    }
    // host::frequent_gaps() of the journal.
    std::string frequent_gaps() const;
    int64_t setting(int32_t setting) const { return accp_panes_setting(panes_.get(), setting); }

private:
    Handle<accp_config> config_;
    Handle<accp_store> store_;
    Handle<accp_panes> panes_;
};

// Throws Failure if --pane and --shared are combined, or if the action does not take --shared.
void check_pane_options(const Arguments &arguments);
// Returns the pane of --pane or --shared. Throws Failure if neither is given.
int64_t selected_pane(const Arguments &arguments);
// Returns the pane of AGENTWIRE_PANE, or of TMUX_PANE, or -1 if neither is set. Throws Failure if
// the value is not a pane.
int64_t pane_of_environment();
// Returns the selected pane, or that of the environment, or that of the configuration. Throws
// Failure if all three are missing.
int64_t own_pane(const Arguments &arguments, const PanesProject &project);

// Returns the option that selects the pane: --pane 1.
std::string pane_option(int64_t pane);

// Sets the depth and the budget from the configuration if the arguments do not.
void apply_settings(const Arguments &arguments, accp_packet_request &request);

// Prints the error, followed by `advice`, and returns 1. Throws Failure for ERR_ARG, ERR_NOMEM and
// ERR_IO.
int report_pane_error(int64_t pane, const accp_error &err, Streams &io,
                      const std::string &advice = {});
// The same for an error that is not about a pane.
int report_error(const std::string &subject, const accp_error &err, Streams &io,
                 const std::string &advice = {});

}  // namespace cli
