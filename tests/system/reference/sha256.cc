// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sha256.h. The constants are the first bits of the fractions of roots of the first primes, and
// are computed from them.
#include "reference/sha256.h"

#include <cmath>
#include <cstdint>

namespace accp_ref {

namespace {

uint32_t rotated(uint32_t x, int by) { return x >> by | x << (32 - by); }

uint32_t fraction(long double root) {
    return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

struct Constants {
    uint32_t state[8], round[64];

    Constants() {
        int found = 0;
        for (int n = 2; found < 64; ++n) {
            bool prime = true;
            for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
            if (!prime) continue;
            if (found < 8) state[found] = fraction(std::sqrt(static_cast<long double>(n)));
            round[found++] = fraction(std::cbrt(static_cast<long double>(n)));
        }
    }
};

void add_block(uint32_t *state, const unsigned char *block, const uint32_t *round) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; ++i)
        w[i] = uint32_t{block[4 * i]} << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < 64; ++i)
        w[i] = w[i - 16] + w[i - 7] +
               (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; ++i) v[i] = state[i];
    for (int i = 0; i < 64; ++i) {
        uint32_t one = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) +
                       ((v[4] & v[5]) ^ (~v[4] & v[6])) + round[i] + w[i];
        uint32_t two = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) +
                       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j > 0; --j) v[j] = v[j - 1];
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; ++i) state[i] += v[i];
}

}  // namespace

std::string sha256_hex(std::string_view text) {
    Constants constants;
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
        padded += static_cast<char>(uint64_t{text.size()} * 8 >> shift);
    for (size_t at = 0; at < padded.size(); at += 64)
        add_block(constants.state, reinterpret_cast<const unsigned char *>(padded.data() + at),
                  constants.round);
    std::string hex;
    for (uint32_t word : constants.state)
        for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
    return hex;
}

}  // namespace accp_ref
