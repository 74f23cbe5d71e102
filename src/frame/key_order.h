// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The entries of a map stand in the order of their wire keys: are they written so?
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace accp::frame {

// Trivial, so that an array of them costs nothing until one is begun: KeyOrder{} has no key yet.
class KeyOrder {
public:
    // Notes the wire key written at `key`, with a Buffer's slack after it, in an output that begins
    // at `begin` and may have moved since the last one. False where it does not come after that.
    [[gnu::always_inline]] bool follows(const char *begin, const char *key, size_t len) {
        const uint64_t word = first_bytes(key, len);
        const std::string_view last(begin + last_, last_len_);
        if (word < word_ || (word == word_ && std::string_view(key, len) <= last)) return false;
        word_ = word;
        last_ = static_cast<size_t>(key - begin);
        last_len_ = len;
        return true;
    }

private:
    // As a number, so that most keys are in the order of these.
    [[gnu::always_inline]] static uint64_t first_bytes(const char *key, size_t len) {
        uint64_t word;
        std::memcpy(&word, key, sizeof word);
        if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
        return len < sizeof word ? word & ~(~uint64_t{0} >> 8 * len) : word;
    }

    uint64_t word_;
    size_t last_, last_len_;
};

}  // namespace accp::frame
