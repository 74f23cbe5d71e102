// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// So many of so many, and what may be claimed from that: the 95 % score interval of Wilson, which
// is honest for small numbers too.
#pragma once

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

}  // namespace accp
