// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replays of a session's own log: what stood after a record, two replays beside each other, and one
// chain.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// replay --to N: one line of JSON.
int replay_to(const Arguments &arguments, Streams &io);
// replay --chain CID: the records of a chain, each with what became of it.
int replay_chain(const Arguments &arguments, Streams &io);
// replay --compare NAME=VALUE…: the first difference. 0: there is none; 1: there is.
int compare_replays(const Arguments &arguments, Streams &io);

}  // namespace cli
