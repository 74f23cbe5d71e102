// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The generated table of unicode.h.
#include "token/unicode.h"

namespace accp::token {

#include "token/generated/unicode_16.inc"

Point far_point_at(const char *text) {
    auto byte = [text](int i) {
        return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
    };
    if (byte(0) < 0xF0)
        return {point_flags((byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)), 3};
    return {point_flags((byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
                        (byte(3) & 0x3F)),
            4};
}

}  // namespace accp::token
