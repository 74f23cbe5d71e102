// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A proportion: `count` of `all`. low() and high() are the bounds of Wilson's 95 % score interval,
// which is also valid for small numbers.
#pragma once

#include <cmath>
#include <cstdint>

namespace accp {

struct Share {
    uint64_t count = 0, all = 0;

    void add(bool counts) {
        ++all;
        count += counts;
    }
    uint64_t percent() const { return all ? count * 100 / all : 0; }  // rounded down
    double low() const { return wilson_bound(-1); }
    double high() const { return wilson_bound(1); }

private:
    double wilson_bound(double side) const {      // side: -1 or 1
        constexpr double kZ = 1.959963984540054;  // standard normal distribution: 95 % are within
        if (!all) return side < 0 ? 0 : 1;
        const double n = static_cast<double>(all), p = static_cast<double>(count) / n;
        const double z2 = kZ * kZ;
        const double spread = kZ * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
        const double end = (p + z2 / (2 * n) + side * spread) / (1 + z2 / n);
        return end < 0 ? 0 : end > 1 ? 1 : end;
    }
};

}  // namespace accp
