// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "base/random.h"

#ifdef _WIN32
#include <windows.h>
//
#include <ntsecapi.h>
#else
#include <unistd.h>
//
#include <sys/random.h>  // that of macOS needs a header before it
#endif

#include <atomic>
#include <cerrno>
#include <cstring>

namespace accp {

namespace {

struct SipState {
    uint64_t v0, v1, v2, v3;

    static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

    void round() {
        v0 += v1;
        v1 = rotate(v1, 13) ^ v0;
        v0 = rotate(v0, 32);
        v2 += v3;
        v3 = rotate(v3, 16) ^ v2;
        v0 += v3;
        v3 = rotate(v3, 21) ^ v0;
        v2 += v1;
        v1 = rotate(v1, 17) ^ v2;
        v2 = rotate(v2, 32);
    }
};

// Fills `out` with random bits of the system. `waits`: wait until it has enough, which it may not
// have just after its start. Returns false if there are none.
bool fill(uint64_t &out, bool waits) {
#ifdef _WIN32
    (void)waits;
    return RtlGenRandom(&out, sizeof out);
#elif defined(GRND_NONBLOCK)
    ssize_t got;
    do got = getrandom(&out, sizeof out, waits ? 0 : GRND_NONBLOCK);
    while (waits && got < 0 && errno == EINTR);
    return got == sizeof out;
#else
    (void)waits;
    return getentropy(&out, sizeof out) == 0;
#endif
}

}  // namespace

uint64_t random_seed() {
    static std::atomic<uint64_t> counter{0};
    uint64_t seed = 0;
    if (!fill(seed, false)) seed = reinterpret_cast<uintptr_t>(&seed);
    return seed ^ counter.fetch_add(0x9E3779B97F4A7C15, std::memory_order_relaxed);
}

uint64_t random_secret() {
    uint64_t secret = 0;
    return fill(secret, true) ? secret : random_seed();
}

uint64_t seeded_hash(const char *text, size_t len, uint64_t seed) {
    SipState s = {seed ^ 0x736f6d6570736575, ~seed ^ 0x646f72616e646f6d, seed ^ 0x6c7967656e657261,
                  ~seed ^ 0x7465646279746573};
    auto mix = [&s](uint64_t word) {
        s.v3 ^= word;
        s.round();
        s.v0 ^= word;
    };
    size_t at = 0;
    for (; len - at >= 8; at += 8) {
        uint64_t word;
        std::memcpy(&word, text + at, 8);
        mix(word);
    }
    uint64_t last = static_cast<uint64_t>(len) << 56;
    for (int shift = 0; at < len; ++at, shift += 8)
        last |= static_cast<uint64_t>(static_cast<unsigned char>(text[at])) << shift;
    mix(last);
    s.v2 ^= 0xFF;
    for (int i = 0; i < 3; ++i) s.round();
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

}  // namespace accp
