// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/library/digest.h"

#include <sha2.h>

namespace server {

std::string sha256_of(std::string_view text) {
    char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data(reinterpret_cast<const uint8_t *>(text.data()), text.size(), hex);
    return hex;
}

}  // namespace server
