// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp sacp, and what they have in common.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// sacp_messages.cc: a message a line in; its verdict, itself in another spelling, or its frame out.
int sacp_validate(const Arguments &arguments, Streams &io);
int sacp_expand(const Arguments &arguments, Streams &io);
int sacp_compact(const Arguments &arguments, Streams &io);
int sacp_canon(const Arguments &arguments, Streams &io);
int sacp_compose(const Arguments &arguments, Streams &io);
int sacp_plan(const Arguments &arguments, Streams &io);
int sacp_adapt(const Arguments &arguments, Streams &io);
int sacp_frame(const Arguments &arguments, Streams &io);
int sacp_unframe(const Arguments &arguments, Streams &io);
// sacp_ask.cc: what a person says a line in, the message that it is out.
int sacp_ask(const Arguments &arguments, Streams &io);
// sacp_format.cc: data a line in, a text for people out.
int sacp_format(const Arguments &arguments, Streams &io);
// sacp_threads.cc: messages, a line each, put together by what they reply to.
int sacp_threads(const Arguments &arguments, Streams &io);
// sacp_states.cc: changes of state a line in, what becomes of each out.
int sacp_states(const Arguments &arguments, Streams &io);

// sacp_query.cc: questions to a registry of agents, and cases of such questions.
int sacp_query(const Arguments &arguments, Streams &io);
// sacp_feasibility.cc: who can do each step of a plan.
int sacp_feasibility(const Arguments &arguments, Streams &io);
// sacp_spawn.cc: agents that plans lack are asked for, and made.
int sacp_spawn(const Arguments &arguments, Streams &io);
// sacp_prompt.cc: what a model is told: its role, the protocol.
int sacp_prompt(const Arguments &arguments, Streams &io);
int sacp_spec(const Arguments &arguments, Streams &io);

// Of options with names and commas between them, one name a line.
std::string lines_of_lists(const std::vector<std::string> &lists);

// The library of --library, or one without verbs and tools. Throws Failure, with its verdict.
Handle<accp_library> open_library(const Arguments &arguments, const accp_config *config);
Handle<accp_library> read_library(const std::string &name, const accp_config *config);
// A checker over it.
Handle<accp_sacp> open_sacp(const Arguments &arguments, const accp_config *config);
Handle<accp_sacp> new_sacp(const accp_library *library, const accp_config *config);

}  // namespace cli
