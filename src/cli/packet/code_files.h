// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The code that a packet is made from.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// Reads the files of --code, with progress; NULL: none was asked for. Where an index of them stays
// (code_place.h), only what changed. Left out are files that are no text, those of more than
// kMaxFileBytes, those whose name is not UTF-8, and those that cannot be read. A Failure where no
// file is left.
Handle<accp_packet_code> read_code(const Arguments &arguments);

constexpr size_t kMaxFileBytes = 1 << 20;  // nobody writes more by hand

}  // namespace cli
