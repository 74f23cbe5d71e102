// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where the index of the code of --code stays from one run to the next.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"

namespace cli {

// That of --index; else, where the project has its .agentwire, a file below that, one for each
// directory of code (its folder is made, and git does not see it). Empty: none stays.
std::string index_place(const Arguments &arguments);

}  // namespace cli
