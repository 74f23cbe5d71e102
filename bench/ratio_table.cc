// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See ratio_table.h.
#include "ratio_table.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "rows.h"

namespace accp_bench {

namespace {

// Nanoseconds of the row over those of its peer: the promised maximum and the goal (0: none).
struct Ratio {
    const char *row;
    const char *peer;
    double must;
    double goal;
};

constexpr Ratio kRatios[] = {
    {kParse, kSimdjson, 0.65, 0.51},
    {kParse, kRapidInSitu, 0.32, 0.25},
    {kParse, kYyjsonInSitu, 0.83, 0.67},
    {kPrint, kRapidWriter, 0.15, 0.13},
    {kBuild, kRapidWriter, 0.25, 0.20},
    {kBuild, kYyjsonWrite, 0.67, 0.50},
    {kEncode, kSimdjsonMessage, 1.5, 0},
    {kDecode, kSimdjsonMessage, 1.5, 0},
    {kDecodePlain, kSimdjsonMessage, 0, 0},
    {kCodecEncode, kParse, 14, 0},
    {kCodecDecode, kParse, 7, 0},
    {kCodecEncodeOnly, kParse, 0, 0},
    {kGenerate, kSimdjsonTalk, 0, 0},
    {kJudge, kSimdjsonJudged, 1.5, 1.0},
    {kJudgeVarious, kSimdjsonVarious, 0, 0},
    {kJudgeWithTree, kSimdjsonVarious, 0, 0},
    {kBatchParse, kSimdjson, 0, 0},
    {kParse, kSimdjsonHaswell, 0, 0},
    {kParse, kMemcpy, 0, 0},
    {kRefuse, kParse, 0, 0},
};

// Some peers need a special processor, or a source without a package in Debian.
bool may_be_absent(std::string_view peer) {
    return peer == kSimdjsonHaswell || peer == kYyjsonInSitu || peer == kYyjsonWrite;
}

void print_number(double number, const char *format, int width) {
    if (number > 0) std::printf(format, width, number);
    else std::printf(" %*s", width, "-");
}

}  // namespace

void RatioTable::ReportRuns(const std::vector<Run> &runs) {
    for (const Run &run : runs) {
        if (run.run_type == Run::RT_Aggregate) continue;
        if (run.error_occurred) {
            std::fprintf(stderr, "accp_bench: \"%s\": %s\n", run.run_name.function_name.c_str(),
                         run.error_message.c_str());
            failed_ = true;
            continue;
        }
        Row &row = rows_[run.family_index];
        row.name = run.run_name.function_name;
        row.ns.push_back(1e9 / run.counters.at("items_per_second"));
        row.mb_a_second.push_back(run.counters.at("bytes_per_second") / 1e6);
    }
}

double RatioTable::median(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    size_t half = numbers.size() / 2;
    return numbers.size() % 2 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

double RatioTable::median_ns(const char *row) const {
    for (const auto &[index, measured] : rows_)
        if (measured.name == row) return median(measured.ns);
    return 0;
}

bool RatioTable::print_ratios() const {
    std::printf(
        "\nRatios: time of a row over time of its peer, on the same message; less is better\n");
    std::printf("  %-20s %8s  %-24s %8s %7s %6s %6s  verdict\n", "row", "ns", "peer", "ns", "ratio",
                "must", "goal");
    bool all_met = true;
    for (const Ratio &ratio : kRatios) {
        double ns = median_ns(ratio.row), peer = median_ns(ratio.peer);
        std::printf("  %-20s", ratio.row);
        print_number(ns, " %*.1f", 8);
        std::printf("  %-24s", ratio.peer);
        print_number(peer, " %*.1f", 8);
        bool measured = ns > 0 && peer > 0;
        print_number(measured ? ns / peer : 0, " %*.3f", 7);
        print_number(ratio.must, " %*.2f", 6);
        print_number(ratio.goal, " %*.2f", 6);
        bool met = measured && ns / peer <= ratio.must;
        bool reached = met && ratio.goal > 0 && ns / peer <= ratio.goal;
        bool absent = !measured && may_be_absent(ratio.peer);
        const char *verdict = absent            ? "not here"
                              : !measured       ? "not measured"
                              : ratio.must == 0 ? ""
                              : reached         ? "met, goal too"
                              : met             ? "met"
                                                : "NOT met";
        std::printf("  %s\n", verdict);
        all_met &= met || absent || ratio.must == 0;
    }
    return all_met;
}

void RatioTable::print_rows() const {
    std::printf(
        "\nRows: nanoseconds an item (a message; in a worst case, the one input), the median of "
        "all repetitions and their extremes\n");
    std::printf("  %-44s %11s %11s %11s %9s\n", "row", "median", "least", "most", "MB/s");
    for (const auto &[index, row] : rows_) {
        auto [min, max] = std::minmax_element(row.ns.begin(), row.ns.end());
        std::printf("  %-44s %11.1f %11.1f %11.1f %9.0f\n", row.name.c_str(), median(row.ns), *min,
                    *max, median(row.mb_a_second));
    }
}

}  // namespace accp_bench
