// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The computation is libmd's.
#include "base/sha256.h"

#include <sha2.h>

namespace accp {

Digest sha256(std::string_view text) {
    constexpr char kHex[] = "0123456789abcdef";
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, reinterpret_cast<const uint8_t *>(text.data()), text.size());
    SHA256Final(digest, &context);
    Digest out = {};
    for (size_t i = 0; i < sizeof digest; ++i) {
        out.hex[2 * i] = kHex[digest[i] >> 4];
        out.hex[2 * i + 1] = kHex[digest[i] & 15];
    }
    return out;
}

}  // namespace accp
