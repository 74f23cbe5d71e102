// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See vocabulary.h. A token's bytes are found by taking it apart: right halves wait in the room
// after the output, which is as long as the longest token, and a token waits for at least one byte
// of its own.
#include "token/vocabulary.h"

namespace accp::token {

void Vocabulary::append(uint32_t token, Buffer<char> &out) const {
    constexpr uint32_t kRightMask = (1u << kTokenBits) - 1;
    size_t room = size_t{head_->longest} * (sizeof token + 1) + sizeof token;
    char *to = out.reserve(room), *const bottom = to + room, *top = bottom;
    for (;;) {
        while (token >= kByteTokens) {
            uint64_t both = split(token);
            uint32_t right = static_cast<uint32_t>(both) & kRightMask;
            std::memcpy(top -= sizeof right, &right, sizeof right);
            token = static_cast<uint32_t>(both >> kTokenBits);
        }
        *to++ = static_cast<char>(head_->byte_of[token]);
        if (top == bottom) break;
        std::memcpy(&token, top, sizeof token);
        top += sizeof token;
    }
    out.set_end(to);
}

}  // namespace accp::token
