// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random numbers of a simulation: the same seed gives the same numbers with any compiler and
// library.
#pragma once

#include <cmath>
#include <cstdint>

namespace scale {

inline uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

class Random {
public:
    explicit Random(uint64_t seed) : state_(mix(seed)) {}

    uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15); }
    uint64_t below(uint64_t end) { return end ? next() % end : 0; }
    // 0 to 1, without 1
    double part() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    bool happens(double chance) { return part() < chance; }
    double exponential(double mean) { return -mean * std::log1p(-part()); }

private:
    uint64_t state_;
};

// Ranks from 0 on: rank r occurs in proportion to 1 / (r + 1) ^ exponent. By rejection (Hörmann,
// Derflinger 1996), so that a million ranks need no table.
class Zipf {
public:
    Zipf(uint64_t ranks, double exponent)
        : ranks_(static_cast<double>(ranks)),
          exponent_(exponent),
          begin_(integral(1.5) - 1),
          end_(integral(ranks_ + 0.5)),
          cut_(2 - inverse(integral(2.5) - density(2))) {}

    uint64_t next(Random &random) const {
        for (;;) {
            const double at = end_ + random.part() * (begin_ - end_), x = inverse(at);
            double rank = std::floor(x + 0.5);
            rank = rank < 1 ? 1 : rank > ranks_ ? ranks_ : rank;
            if (rank - x <= cut_ || at >= integral(rank + 0.5) - density(rank))
                return static_cast<uint64_t>(rank) - 1;
        }
    }

private:
    double density(double x) const { return std::exp(-exponent_ * std::log(x)); }
    double integral(double x) const {
        const double log = std::log(x), power = (1 - exponent_) * log;
        return std::fabs(power) > 1e-8 ? log * std::expm1(power) / power : log;
    }
    double inverse(double x) const {
        const double power = std::fmax(x * (1 - exponent_), -1);
        const double scale = std::fabs(power) > 1e-8 ? std::log1p(power) / power : 1;
        return std::exp(scale * x);
    }

    double ranks_, exponent_, begin_, end_, cut_;
};

}  // namespace scale
