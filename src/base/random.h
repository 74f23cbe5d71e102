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

// A keyed permutation of 0 to size - 1: numbers that look random, each of them once. Who has seen
// some of them and not the key cannot tell the others.
//
// A Feistel network over two digits in base b, the least with b * b >= size, whose round function
// is a keyed SipHash; what falls beyond size is permuted again until it does not (cycle walking:
// less than once in a thousand times).

struct PermutationKey {
    uint64_t low, high;
};

class Permutation {
public:
    // size: at most 2^62.
    Permutation(uint64_t size, const PermutationKey &key) : size_(size), key_(key) {
        for (uint64_t bit = uint64_t{1} << 30; bit; bit /= 2)
            if ((base_ + bit - 1) * (base_ + bit - 1) < size) base_ += bit;
    }

    uint64_t operator()(uint64_t n) const {
        do n = once(n);
        while (n >= size_);
        return n;
    }

private:
    static constexpr uint64_t kRounds = 8;

    uint64_t once(uint64_t n) const {
        uint64_t left = n / base_, right = n % base_;
        for (uint64_t round = 0; round < kRounds; ++round) {
            const uint64_t next = (left + mixed(round, right)) % base_;
            left = right;
            right = next;
        }
        return left * base_ + right;
    }
    uint64_t mixed(uint64_t round, uint64_t digit) const {
        const uint64_t words[] = {digit << 8 | round, key_.high};
        return seeded_hash(reinterpret_cast<const char *>(words), sizeof words, key_.low) % base_;
    }

    uint64_t size_, base_ = 1;
    PermutationKey key_;
};

}  // namespace accp
