// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A seed that an attacker does not know, and a hash keyed with it: sets of keys that came from
// outside stay fast whatever the keys are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp {

// Different in every process and for every handle.
uint64_t random_seed();

// Eight bytes of the system's randomness; waits for it where the system has just begun.
uint64_t random_secret();

// SipHash-1-3 of the bytes under the seed.
uint64_t seeded_hash(const char *text, size_t len, uint64_t seed);

}  // namespace accp
