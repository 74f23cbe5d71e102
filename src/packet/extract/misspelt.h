// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Members that no packet knows, and that look like one that it does: a typing error hides what it
// names from every worker.
#pragma once

#include "base/memory.h"
#include "value/tree.h"

namespace accp::packet {

// Appends a line for each, in the packet's order: where it stands, a blank, the member that it may
// be meant for: `context.decisions[2].resaon reason`. Items count from 1. A name is like a known
// one where up to two characters were left out, put in, exchanged or are others, of a name of up to
// five characters one.
void append_misspelt_members(value::TreeView packet, Buffer<char> &out);

// In how many characters do two names differ so? More than 2: 3.
size_t count_typing_errors(std::string_view name, std::string_view known);

}  // namespace accp::packet
