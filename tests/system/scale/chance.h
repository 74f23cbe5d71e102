// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library draws its fencing tokens, and the seeds of its hashes and filters, from the system's
// getrandom(). In programs with chance.cc that is a generator of their own: one seed, one run.
#pragma once

#include <cstdint>

namespace scale {

void seed_chance(uint64_t seed);

}  // namespace scale
