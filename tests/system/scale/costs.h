// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Measured, not simulated: the library's work for a frame and a session, the data that is sent to a
// store and kept there, and the time that a real store needs.
#pragma once

#include <string>

namespace scale {

// Prints the work of the library over a store that takes no time: processor, calls and bytes.
void print_costs();

// Prints what a million frames use and cost, from the measurements of print_costs() and prices of
// the user in any currency.
struct Prices {
    double replicas = 3;
    double gb_month = 0;   // for the disk of a node
    double gb_sent = 0;    // between a gateway and a node, or two nodes
    double core_hour = 0;  // of a gateway
};
void print_million(const Prices &prices);

// Measures the back end of a library at a place: round trips. Returns false if it cannot be opened.
bool print_store(const std::string &library, const std::string &place);

}  // namespace scale
