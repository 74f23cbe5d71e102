// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See chance.h. The getrandom() of the program takes precedence over that of the C library, also
// for calls of shared libraries. random_seed() adds the process's count of its calls to the random
// value (src/base). This file subtracts the count again, otherwise a second run in the same process
// would get other seeds.
#include "scale/chance.h"

#include <sys/random.h>

#include <cstring>

#include "scale/random.h"

namespace {

scale::Random chance(0);
uint64_t seeds_drawn = 0;

}  // namespace

namespace scale {

void seed_chance(uint64_t seed) { chance = Random(seed); }

}  // namespace scale

extern "C" __attribute__((visibility("default"))) ssize_t getrandom(void *to, size_t bytes,
                                                                    unsigned flags) {
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t word = chance.next();
        if (flags & GRND_NONBLOCK) word ^= seeds_drawn++ * 0x9E3779B97F4A7C15;
        std::memcpy(static_cast<char *>(to) + at, &word,
                    bytes - at < sizeof word ? bytes - at : sizeof word);
    }
    return static_cast<ssize_t>(bytes);
}
