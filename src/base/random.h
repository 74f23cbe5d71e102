// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A random seed, and a hash with that seed as its key. An attacker who does not know the seed
// cannot choose keys that make a hash table slow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp {

// Different in every process and for every handle.
uint64_t random_seed();

// Returns eight random bytes from the system. Blocks if the system's generator is not ready yet,
// shortly after boot.
uint64_t random_secret();

// SipHash-1-3 of the bytes under the seed.
uint64_t seeded_hash(const char *text, size_t len, uint64_t seed);

struct PermutationKey {
    uint64_t low, high;
};

// A permutation of 0 to size - 1 with a key: each number occurs once, in an order that looks
// random. Without the key, known numbers do not help to predict the others.
//
// A Feistel network over two digits in base b, the smallest with b * b >= size. The round function
// is SipHash with the key. A result beyond size is permuted again (cycle walking, less than once in
// a thousand times).
class Permutation {
public:
    // `size` is at most 2^62.
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
