// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The figures of a replay over several runs. A mean is taken over the runs of a folder and then
// over the folders, so that neither a long run nor a large folder dominates.
#pragma once

#include <string>
#include <vector>

#include "cli/replay/figures.h"

namespace cli {

// A run of fewer calls is not compared with the worst one.
inline constexpr size_t kMinWorstCalls = 8;

// NaN where no run has the figure.
struct RowShares {
    double raw, price, effective_price;  // compared with the history resent
    double complete, names, phrases, task, newest;
};

// The shares of a row of one run.
RowShares shares_of(const RowFigures &row, const RowFigures &everything);

struct SummaryRow {
    std::string name;
    uint64_t tokens = 0;  // of all runs
    RowShares mean = {};
    double worst = 0;  // the highest price of a run; NaN if all are short
};

// Returns the rows in the order that each run has them.
std::vector<SummaryRow> summarize(const ReplayFigures &figures);

}  // namespace cli
