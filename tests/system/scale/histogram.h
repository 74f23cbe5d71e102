// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A histogram of durations with sixteen steps per doubling, so that a quantile is accurate within 7
// %.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace scale {

class Histogram {
public:
    void add(int64_t value) {
        ++count_;
        if (value > max_) max_ = value;
        ++buckets_[bucket(value < 16 ? 16 : static_cast<uint64_t>(value))];
    }
    int64_t quantile(double part) const {
        const auto wanted = static_cast<uint64_t>(part * static_cast<double>(count_));
        uint64_t seen = 0;
        for (size_t i = 0; i < buckets_.size(); ++i) {
            seen += buckets_[i];
            if (seen > wanted) return static_cast<int64_t>(begin(i + 1));
        }
        return max_;
    }
    uint64_t count() const { return count_; }
    int64_t max() const { return max_; }

private:
    static size_t bucket(uint64_t value) {
        const auto power = static_cast<size_t>(std::bit_width(value)) - 5;
        return power * 16 + (value >> power & 15);
    }
    static uint64_t begin(size_t at) { return (uint64_t{16} + at % 16) << at / 16; }

    std::array<uint64_t, 60 * 16> buckets_ = {};
    uint64_t count_ = 0;
    int64_t max_ = 0;
};

}  // namespace scale
