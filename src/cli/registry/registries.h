// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry that the arguments ask for: --registry and --profile mean one thing in every
// command, and so the same file has one hash everywhere.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// The built-in profiles of --profile, as bits; all of them where it was not given. Throws Failure.
uint32_t profiles(const Arguments &arguments);

// Those, and the document of --registry. Throws Failure.
Handle<accp_registry> open_registry(const Arguments &arguments, const accp_config *config);

// What --strict refuses, as bits of accp_strictness. Throws Failure.
uint32_t strictness(const Arguments &arguments);

// Says on standard error what was odd about the record: bits of accp_warning.
void tell_warnings(uint32_t bits, Streams &io);

}  // namespace cli
