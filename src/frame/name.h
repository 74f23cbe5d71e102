// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Agent, intent and operation of a frame that is written: nearly all are short and legal.
#pragma once

#include "base/bytes.h"
#include "base/vector.h"

namespace accp::frame {

constexpr size_t kShortName = 16;  // bytes, a vector

// Has a short name, which these bytes begin with, only bytes of this class? Also where it is empty.
[[gnu::always_inline]] inline bool is_good_name(Bytes16 bytes, size_t len, ByteClass wanted) {
    uint32_t good = wanted == kAlphaByte ? bytes.letters() : bytes.words();
    if (wanted == kAgentByte) good |= bytes.equal('-');
    return !(~good & ((uint32_t{1} << len) - 1));
}

}  // namespace accp::frame
