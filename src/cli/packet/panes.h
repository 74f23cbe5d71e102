// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context, of packets in a project's files.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/packet/packet_file.h"
#include "cli/terminal/streams.h"

namespace cli {

// Is it one of run_panes()?
bool is_of_panes(const Arguments &arguments);
int run_panes(const Arguments &arguments, Streams &io);

// Puts a packet that was made into the pane's file, and tells how a worker finds it; of refresh
// with the frame that says so.
int put_in_pane(const Arguments &arguments, PacketFile &packet, Streams &io);

// accp context roles.
int print_role(const Arguments &arguments, Streams &io);

}  // namespace cli
