// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See estimate.h. Fitted to o200k_base and cl100k_base on frames, JSON, English and code, where it
// answers 2 to 25 % more than they do: an estimate is there to keep limits.
#include "token/estimate.h"

#include <cstring>

namespace accp::token {

size_t estimate_piece(const char *piece, size_t len) {
    size_t letters = 0, signs = 0, high = 0, spaces = 0, extra = 0;
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(piece[i]);
        if (static_cast<unsigned>((c | 0x20) - 'a') < 26) ++letters;
        else if (c >= 0x80) ++high;
        else if (c <= 0x20) ++spaces;
        else if (c > '9' || c < '0') ++signs;
    }
    // A word's own first sign: vocabularies have words with these before them, and a token of its
    // own for any other.
    if (letters && signs == 1) {
        extra = std::strchr("_./-\"(", piece[0]) == nullptr;
        signs = 0;
    }
    size_t tokens = (letters + 3) / 5 + extra + (signs + 1) / 2 + (high + 2) / 3 + spaces / 16;
    return tokens ? tokens : 1;
}

}  // namespace accp::token
