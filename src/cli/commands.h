// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The subcommands of accp, and the frame around them that every program of this folder uses.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// Reads the command line and calls `run` with it. Returns the exit status: that of `run`, or 2 for
// bad usage and for input or output that fails. Errors are printed on standard error.
int run_program(int argc, char **argv, int (*run)(const Arguments &, Streams &));

// Each subcommand returns its exit status: 0 if all is done, 1 if a record was refused. It throws
// Failure for an error that ends the run, which gives exit status 2.
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
int run_session(const Arguments &arguments, Streams &io);
int run_store(const Arguments &arguments, Streams &io);
int run_context(const Arguments &arguments, Streams &io);
int run_sacp(const Arguments &arguments, Streams &io);
int run_mcp(const Arguments &arguments, Streams &io);
int run_serve(const Arguments &arguments, Streams &io);
int run_proxy(const Arguments &arguments, Streams &io);
int run_unfold(const Arguments &arguments, Streams &io);

// Actions of these commands that have a source file of their own.
int run_learn(const Arguments &arguments, Streams &io);              // registry learn
int run_store_conformance(const Arguments &arguments, Streams &io);  // store conformance
int serve_hub(const Arguments &arguments, Streams &io);              // serve

}  // namespace cli
