// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a reply under out_fmt summary says of its output, in at most 280 characters.
#pragma once

#include "base/memory.h"

namespace accp::execute {

// Appends a JSON string of 1 to 280 code points about the JSON that stands in `out` from `begin`
// to `end`: the text that it is, or its member `summary` that is one, or else its JSON. What is
// longer is cut, and ends with "…".
void write_summary(size_t begin, size_t end, Buffer<char> &out);

}  // namespace accp::execute
