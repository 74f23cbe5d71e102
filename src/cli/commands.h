// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The subcommands: one file each, one line each in the table.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// Each answers the exit status: 0 all done, 1 some record refused. Failure ends the run with 2.
int run_parse(const Arguments &arguments, Streams &io);
int run_canon(const Arguments &arguments, Streams &io);
int run_encode(const Arguments &arguments, Streams &io);
int run_decode(const Arguments &arguments, Streams &io);
int run_render(const Arguments &arguments, Streams &io);
int run_inspect(const Arguments &arguments, Streams &io);
int run_conformance(const Arguments &arguments, Streams &io);
int run_stats(const Arguments &arguments, Streams &io);
int run_tokens(const Arguments &arguments, Streams &io);
int run_registry(const Arguments &arguments, Streams &io);
int run_learn(const Arguments &arguments, Streams &io);  // of registry
int run_session(const Arguments &arguments, Streams &io);
int run_store(const Arguments &arguments, Streams &io);
int run_store_conformance(const Arguments &arguments, Streams &io);  // of store
int run_context(const Arguments &arguments, Streams &io);
int run_sacp(const Arguments &arguments, Streams &io);
int run_mcp(const Arguments &arguments, Streams &io);
int run_serve(const Arguments &arguments, Streams &io);
int run_unfold(const Arguments &arguments, Streams &io);

}  // namespace cli
