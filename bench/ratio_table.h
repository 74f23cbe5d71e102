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

    // Prints rows and their peers. Returns true if every "must" is met; a row that was not measured
    // does not meet it.
    bool print_ratios() const;
    double median_ns(const char *row) const;  // 0 if it was not measured
    // Prints every row alone: median and spread.
    void print_rows() const;

private:
    struct Row {
        std::string name;
        std::vector<double> ns;  // per item, for each repetition
        std::vector<double> mb_a_second;
    };
    static double median(std::vector<double> numbers);

    std::map<int64_t, Row> rows_;  // in the order of registration
    bool failed_ = false;
};

}  // namespace accp_bench
