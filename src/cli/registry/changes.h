// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What accp_registry_diff() answers, for people.
#pragma once

#include <string>

#include "cli/host.h"

namespace cli {

// Appends the delta as one line of JSON, whether it is breaking, and a line for each change.
// Answers whether it is.
bool write_changes(accp_value *diff, std::string &out);

}  // namespace cli
