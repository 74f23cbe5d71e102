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
    double low() const;
    double high() const;
};

namespace {

constexpr double kZ = 1.959963984540054;  // standard normal distribution: 95 % are within

// Returns a bound of Wilson's interval; `side` is -1 or 1.
double wilson(const Share &share, double side) {
    if (!share.all) return side < 0 ? 0 : 1;
    const double n = static_cast<double>(share.all), p = static_cast<double>(share.count) / n;
    const double z2 = kZ * kZ;
    const double spread = kZ * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    const double end = (p + z2 / (2 * n) + side * spread) / (1 + z2 / n);
    return end < 0 ? 0 : end > 1 ? 1 : end;
}

}  // namespace

double Share::low() const { return wilson(*this, -1); }
double Share::high() const { return wilson(*this, 1); }

}  // namespace accp
