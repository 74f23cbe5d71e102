// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes metrics in Prometheus' text format.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace server {

// Appends the two lines before the samples of a family. `type`: "counter", "gauge", "histogram".
void print_metric_head(std::string_view name, std::string_view help, std::string_view type,
                       std::string &out);
// Appends a sample. `labels`: such as `status="200"`, with values that need no escapes; may be
// empty.
void print_sample(std::string_view name, std::string_view labels, uint64_t value, std::string &out);
void print_sample(std::string_view name, std::string_view labels, double value, std::string &out);
// Appends a family with one sample.
void print_counter(std::string_view name, std::string_view help, uint64_t value, std::string &out);
void print_gauge(std::string_view name, std::string_view help, uint64_t value, std::string &out);

// Durations in buckets.
class Histogram {
public:
    void add(int64_t us);
    // Prints the family `name`, in seconds.
    void print(std::string_view name, std::string_view help, std::string &out) const;

private:
    static constexpr std::array<int64_t, 13> kLimitsUs = {
        100,    250,     500,       1'000,     2'500,      5'000,     10'000,
        50'000, 250'000, 1'000'000, 5'000'000, 25'000'000, 60'000'000};
    std::array<uint64_t, kLimitsUs.size() + 1> counts_ = {};
    uint64_t count_ = 0;
    int64_t sum_us_ = 0;
};

}  // namespace server
