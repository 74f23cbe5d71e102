// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp context that ask, compare and shorten packets.
#pragma once

#include <optional>

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// The exit status; none where the action is another one.
std::optional<int> run_context_query(const Arguments &arguments, Streams &io);

}  // namespace cli
