// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp mcp that have a file of their own.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// mcp_serve.cc: our own server, on standard input and output.
int serve_mcp(const Arguments &arguments, Streams &io);
// mcp_wrap_command.cc: before another server.
int wrap_mcp(const Arguments &arguments, Streams &io);
// mcp_wrap_url.cc: before one that is reached by HTTP.
int wrap_remote(const Arguments &arguments, Streams &io);

}  // namespace cli
