// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which characters words are made of.
#pragma once

#include "base/bytes.h"

namespace accp::text {

inline bool is_alnum(unsigned char c) { return is_alpha(c) || is_digit(c); }

// Punctuation and spaces outside of ASCII.
inline bool is_mark(uint32_t point) {
    return point < 0xC0 || (point >= 0x2000 && point < 0x2C00) ||
           (point >= 0x3000 && point < 0x3040) || (point >= 0xFF00 && point < 0xFF20);
}

}  // namespace accp::text
