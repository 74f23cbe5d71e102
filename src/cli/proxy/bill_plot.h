// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Diagrams of a log of calls: what was billed, and what the same calls would have cost untouched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/ledger.h"

namespace cli {

struct LoggedCall {
    int64_t time_ms = 0;
    std::string conversation, model;
    bool is_held_out = false;
    bool is_priced = false;  // its bill is in dollars
    std::string failure;     // why it has failed; empty: it has not
    proxy::Totals sum;       // of this call
};

// Both leave out calls that were held out. If some calls have bills in dollars, they leave out
// those in tokens.

// Returns an SVG.
std::string plot_bills(const std::vector<LoggedCall> &calls);

// Returns the same as lines of text with bars: a line for each day, or for each group of calls if
// all are on one day.
std::string draw_bill_bars(const std::vector<LoggedCall> &calls);

}  // namespace cli
