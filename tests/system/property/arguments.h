// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The number of cases for a property: a few in ctest, any number by hand.
#pragma once

#include <cstdint>

namespace accp_property {

struct Run {
    uint64_t count = 0;
    uint64_t from = 0;  // the first seed
};

/** The arguments of the command line. */
const Run &run();

/** Reads --count N and --from N, and runs the tests. */
int main(int argc, char **argv, uint64_t standard_count);

}  // namespace accp_property
