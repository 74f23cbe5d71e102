// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Whether a task was done: as the user says, or as its worker's last frame does.
#pragma once

#include "cli/arguments/arguments.h"

namespace cli {

// By --success, --fail or --frame: `done` or `fail`, under the cid of --cid where that is given.
// Throws Failure where none of them, or more than one, says so.
bool has_succeeded(const Arguments &arguments);

}  // namespace cli
