// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A value to YAML, in one form: blocks, two spaces a level, texts plain where nobody reads them as
// anything else, in a block where they have lines, else in double quotes. YamlReader reads it back.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::value {

// Appends node `root`, a map or an array, and all below it, each line with its newline. ACCP_E1004
// for a key of more than kMaxYamlKey characters, which YAML has not.
constexpr size_t kMaxYamlKey = 1000;
Status write_yaml(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

}  // namespace accp::value
