// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/library/digest.h"

#include <sha2.h>

namespace server {

std::string sha256_of(std::string_view text) {
    constexpr char kDigits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, reinterpret_cast<const uint8_t *>(text.data()), text.size());
    SHA256Final(digest, &context);
    std::string hex;
    for (const uint8_t byte : digest) hex.append({kDigits[byte >> 4], kDigits[byte & 15]});
    return hex;
}

}  // namespace server
