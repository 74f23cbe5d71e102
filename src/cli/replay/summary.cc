// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/summary.h"

#include <cmath>
#include <filesystem>
#include <map>

#include "cli/system/files.h"

namespace cli {
namespace {

constexpr double RowShares::*kShares[] = {
    &RowShares::raw,      &RowShares::price,  &RowShares::effective_price,
    &RowShares::complete, &RowShares::names,  &RowShares::phrases,
    &RowShares::task,     &RowShares::newest,
};

double ratio_of(const Share &share) { return ratio(share.present, share.needed); }

// Returns the mean of each share over the rows that have it.
RowShares mean_of(const std::vector<RowShares> &rows) {
    RowShares mean = {};
    for (const auto share : kShares) {
        double sum = 0;
        uint64_t count = 0;
        for (const RowShares &row : rows) {
            if (std::isnan(row.*share)) continue;
            sum += row.*share;
            ++count;
        }
        mean.*share = count != 0 ? sum / static_cast<double>(count) : std::nan("");
    }
    return mean;
}

std::string folder_of(const std::string &file) {
    return utf8_of(path_of(file).lexically_normal().parent_path());
}

SummaryRow summarize_row(const ReplayFigures &figures, size_t row) {
    SummaryRow summary;
    summary.worst = std::nan("");
    std::map<std::string, std::vector<RowShares>> folders;
    for (const RunFigures &run : figures.runs) {
        const RowShares shares = shares_of(run.rows[row], run.everything());
        summary.name = run.rows[row].name;
        summary.tokens += run.rows[row].bill.tokens();
        folders[folder_of(run.file)].push_back(shares);
        if (run.calls.size() >= kMinWorstCalls)
            summary.worst = std::fmax(summary.worst, shares.price);
    }
    std::vector<RowShares> means;
    for (const auto &folder : folders) means.push_back(mean_of(folder.second));
    summary.mean = mean_of(means);
    return summary;
}

}  // namespace

RowShares shares_of(const RowFigures &row, const RowFigures &everything) {
    const uint64_t resent = everything.bill.price();
    return {ratio(row.bill.tokens(), everything.bill.tokens()),
            ratio(row.bill.price(), resent),
            ratio(row.bill.effective_price(), resent),
            ratio_of(row.recall.complete),
            ratio_of(row.recall.names),
            ratio_of(row.recall.phrases),
            ratio_of(row.recall.task),
            ratio_of(row.recall.newest)};
}

std::vector<SummaryRow> summarize(const ReplayFigures &figures) {
    std::vector<SummaryRow> rows;
    const size_t count = figures.runs.empty() ? 0 : figures.runs[0].rows.size();
    for (size_t row = 0; row < count; ++row) rows.push_back(summarize_row(figures, row));
    return rows;
}

}  // namespace cli
