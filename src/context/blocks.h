// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The blocks of a context, the most stable first, for hosts that set cache marks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::context {

enum class BlockKind : uint8_t {
    kPinned,  // notices of the host, and the first request
    kGap,     // names missing messages
    kClosed,  // a checkpoint
    kOpen,    // the messages since, without the newest
    kNewest,
    kValues,  // the host's values under hot and warm, added after the engine's text
};

struct Block {
    BlockKind kind = BlockKind::kPinned;
    // The next context is expected to have the same bytes up to the end of the block.
    bool is_stable = false;
    uint32_t checkpoint = 0;  // of a closed block
    uint64_t tokens = 0;
    uint64_t since = 0;          // the number of its newest message
    size_t begin = 0, end = 0;   // bytes in the text
    size_t first = 0, last = 0;  // units
};

}  // namespace accp::context
