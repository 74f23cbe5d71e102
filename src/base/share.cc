// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See share.h.
#include "base/share.h"

#include <cmath>

namespace accp {

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
