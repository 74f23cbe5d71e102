// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library gets its fencing tokens, and the seeds of its hashes and filters, from the system's
// getrandom(). Programs with chance.cc replace it by a generator of their own, so that one seed
// always gives the same run.
#pragma once

#include <cstdint>

namespace scale {

void seed_chance(uint64_t seed);

}  // namespace scale
