// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Collects what Google Benchmark measures and prints it as tables of medians and ratios.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace accp_bench {

class RatioTable : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &runs) override;

    bool failed() const { return failed_; }

    // Rows against their peers. True when every "must" is met; a row that was not measured has not
    // met it.
    bool print_ratios() const;
    double median_ns(const char *row) const;  // 0 where it was not measured
    // Every row alone: median and spread.
    void print_rows() const;

private:
    struct Row {
        std::string name;
        std::vector<double> ns;  // an item, of each repetition
        std::vector<double> mb_a_second;
    };
    static double median(std::vector<double> numbers);

    std::map<int64_t, Row> rows_;  // in the order of registration
    bool failed_ = false;
};

}  // namespace accp_bench
