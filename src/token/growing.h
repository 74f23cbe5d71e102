// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts a text while it grows. Pieces far enough from the end can never change again: they are
// counted once and forgotten. What is kept is the text from the last such place on, as valid UTF-8,
// and the first bytes of a character that is not whole yet.
#pragma once

#include "token/count.h"

namespace accp::token {

class GrowingCount {
public:
    GrowingCount(Memory &memory, TokenCounter &counter) : counter_(counter), tail_(memory) {}

    void append(std::string_view text);
    Status total(uint64_t &out);
    void reset();

private:
    // so much unsettled text is worth a walk even if nobody asks
    static constexpr size_t kSettleBytes = 64 << 10;

    uint64_t settle();

    TokenCounter &counter_;
    Buffer<char> tail_;
    uint64_t settled_ = 0;  // tokens of what is not in tail_ any more
    size_t due_ = kSettleBytes;
    char open_[4];  // a character that was begun, open_size_ bytes of it
    size_t open_size_ = 0;
};

}  // namespace accp::token
