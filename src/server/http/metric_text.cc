// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/metric_text.h"

#include <array>
#include <cstdio>

namespace server {
namespace {

constexpr double kUsPerSecond = 1e6;

std::string sample_text(double value) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.10g", value);
    return text.data();
}

std::string seconds(int64_t us) { return sample_text(static_cast<double>(us) / kUsPerSecond); }

void print_line(std::string_view name, std::string_view labels, std::string_view value,
                std::string &out) {
    out.append(name);
    if (!labels.empty()) out.append("{").append(labels).append("}");
    out.append(" ").append(value).append("\n");
}

}  // namespace

void print_metric_head(std::string_view name, std::string_view help, std::string_view type,
                       std::string &out) {
    out.append("# HELP ").append(name).append(" ").append(help);
    out.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void print_sample(std::string_view name, std::string_view labels, uint64_t value,
                  std::string &out) {
    print_line(name, labels, std::to_string(value), out);
}

void print_sample(std::string_view name, std::string_view labels, double value, std::string &out) {
    print_line(name, labels, sample_text(value), out);
}

void print_counter(std::string_view name, std::string_view help, uint64_t value, std::string &out) {
    print_metric_head(name, help, "counter", out);
    print_sample(name, "", value, out);
}

void print_gauge(std::string_view name, std::string_view help, uint64_t value, std::string &out) {
    print_metric_head(name, help, "gauge", out);
    print_sample(name, "", value, out);
}

void Histogram::add(int64_t us) {
    size_t at = 0;
    while (at < kLimitsUs.size() && us > kLimitsUs[at]) ++at;
    ++counts_[at];
    ++count_;
    sum_us_ += us;
}

void Histogram::print(std::string_view name, std::string_view help, std::string &out) const {
    print_metric_head(name, help, "histogram", out);
    const std::string bucket = std::string(name) + "_bucket";
    uint64_t below = 0;
    for (size_t i = 0; i < kLimitsUs.size(); ++i) {
        below += counts_[i];
        print_sample(bucket, "le=\"" + seconds(kLimitsUs[i]) + "\"", below, out);
    }
    print_sample(bucket, "le=\"+Inf\"", count_, out);
    out.append(name).append("_sum ").append(seconds(sum_us_)).append("\n");
    print_sample(std::string(name) + "_count", "", count_, out);
}

}  // namespace server
