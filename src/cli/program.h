// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From main() to what a program does: its arguments, and an exit status of what went wrong.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// Reads the arguments, and runs `run` with them. 2: bad usage, or reading or writing failed.
int run_program(int argc, char **argv, int (*run)(const Arguments &, Streams &));

}  // namespace cli
