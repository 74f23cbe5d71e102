// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is measured, and not simulated: the library's work for a frame and a session, what goes to a
// store and lies there, and how long a real store takes.
#pragma once

#include <string>

namespace scale {

// Of the library over a store that takes no time: processor, calls and bytes.
void print_costs();

// Of a back end's library, at a place: round trips. False: it cannot be opened.
bool print_store(const std::string &library, const std::string &place);

}  // namespace scale
