// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Hashes of 128 bits that identify pages and prefixes of conversations. The key is secret, so that
// text which a tool returns cannot be made to look like another page.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/random.h"

namespace proxy {

struct Hash {
    uint64_t low = 0, high = 0;
    auto operator<=>(const Hash &) const = default;
};

struct HashKey {
    uint64_t low = 0, high = 0;
};

inline Hash hash_text(std::string_view text, const HashKey &key) {
    return {accp::seeded_hash(text.data(), text.size(), key.low),
            accp::seeded_hash(text.data(), text.size(), key.high)};
}

// Returns the hash of a prefix with one page more.
inline Hash hash_chain(const Hash &prefix, const Hash &page, const HashKey &key) {
    const uint64_t words[] = {prefix.low, prefix.high, page.low, page.high};
    return hash_text({reinterpret_cast<const char *>(words), sizeof words}, key);
}

}  // namespace proxy
