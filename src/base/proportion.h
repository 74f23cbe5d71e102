// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// So many of so many, and what may be claimed from that: the 95 % score interval of Wilson, which
// is honest for small numbers too.
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
    uint64_t percent() const { return all ? count * 100 / all : 0; }  // cut, not rounded
    double low() const;
    double high() const;
};

namespace {

constexpr double kZ = 1.959963984540054;  // of the normal distribution: 95 % lie within

// Wilson's interval about its middle; side: -1 or 1.
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
