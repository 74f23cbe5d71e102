// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context refresh: what a packet that is made anew keeps of the one before.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// Fills in, by the packet that the pane has, the task, the depth where none is given, and the
// creator. 0; else the exit status: there is no such packet, or it is none, which is told.
int take_standing(Arguments &arguments, std::string &creator, Streams &io);

}  // namespace cli
