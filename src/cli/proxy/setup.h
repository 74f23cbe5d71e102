// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy setup and undo: make an agent use a proxy that keeps running, in the agent's own
// configuration.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

int set_up_agent(const Arguments &arguments, Streams &io);
int undo_setup(const Arguments &arguments, Streams &io);

// Returns the address of the proxy from --address and --port, such as http://127.0.0.1:7118. Throws
// Failure if they are not an address.
std::string proxy_address(const Arguments &arguments);

// Returns the options that name this address in another command: empty for the default.
std::string address_options(const Arguments &arguments);

}  // namespace cli
