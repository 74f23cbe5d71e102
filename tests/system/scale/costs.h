// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is measured, and not simulated: the library's work for a frame and a session, what goes to a
// store and lies there, and how long a real store takes.
#pragma once

#include <string>

namespace scale {

// Of the library over a store that takes no time: processor, calls and bytes.
void print_costs();

// What a million frames take and cost, by what print_costs() measures and prices of the reader's,
// in whatever money.
struct Prices {
    double replicas = 3;
    double gb_month = 0;   // of a node's disk
    double gb_sent = 0;    // between a gateway and a node, or two nodes
    double core_hour = 0;  // of a gateway
};
void print_million(const Prices &prices);

// Of a back end's library, at a place: round trips. False: it cannot be opened.
bool print_store(const std::string &library, const std::string &place);

}  // namespace scale
