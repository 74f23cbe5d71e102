// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of `accp sacp`, each returning the exit status, and the helpers that they share.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// messages.cc
int sacp_validate(const Arguments &arguments, Streams &io);
int sacp_expand(const Arguments &arguments, Streams &io);
int sacp_compact(const Arguments &arguments, Streams &io);
int sacp_canon(const Arguments &arguments, Streams &io);
int sacp_compose(const Arguments &arguments, Streams &io);
int sacp_plan(const Arguments &arguments, Streams &io);
int sacp_adapt(const Arguments &arguments, Streams &io);
int sacp_frame(const Arguments &arguments, Streams &io);
int sacp_unframe(const Arguments &arguments, Streams &io);
int sacp_threads(const Arguments &arguments, Streams &io);
int sacp_states(const Arguments &arguments, Streams &io);
// texts.cc
int sacp_ask(const Arguments &arguments, Streams &io);
int sacp_format(const Arguments &arguments, Streams &io);
int sacp_prompt(const Arguments &arguments, Streams &io);
int sacp_spec(const Arguments &arguments, Streams &io);
// query.cc
int sacp_query(const Arguments &arguments, Streams &io);
int sacp_feasibility(const Arguments &arguments, Streams &io);
// spawn.cc
int sacp_spawn(const Arguments &arguments, Streams &io);
// run.cc, agent.cc, trace.cc
int sacp_run(const Arguments &arguments, Streams &io);
int sacp_agent(const Arguments &arguments, Streams &io);
int sacp_trace(const Arguments &arguments, Streams &io);

// Joins comma-separated lists of names, one name per line.
std::string names_per_line(const std::vector<std::string> &lists);

// Each of the next functions throws Failure.
// The library of --library; NULL without it.
Handle<accp_library> open_library(const Arguments &arguments, const accp_config *config);
// Checks messages against the library of --library, if there is one.
Handle<accp_sacp> open_sacp(const Arguments &arguments, const accp_config *config);
Handle<accp_sacp> new_sacp(const accp_library *library, const accp_config *config);
// The file of --policy as compact JSON, or `fallback`.
std::string policy_of(const Arguments &arguments, const char *fallback);
// The maximum size of a tool's output in bytes.
size_t max_output_of(const std::string &policy);

}  // namespace cli
