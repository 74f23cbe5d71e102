// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A context as blocks, the most stable first: for a host that marks what a provider is to cache.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::context {

enum class BlockKind : uint8_t {
    kPinned,  // what the host said first, and the first request
    kGap,     // names messages that are left out
    kClosed,  // a checkpoint
    kOpen,    // what was said since, but for the newest message
    kNewest,
    kValues,  // after the context's own: what the host has put under hot and warm
};

struct Block {
    BlockKind kind = BlockKind::kPinned;
    // Will the next context have it here, in the same bytes, as far as can be foreseen?
    bool is_stable = false;
    uint32_t checkpoint = 0;  // of what is closed
    uint64_t tokens = 0;
    uint64_t since = 0;          // the number of the message since which it stands so
    size_t begin = 0, end = 0;   // bytes in the text
    size_t first = 0, last = 0;  // units
};

}  // namespace accp::context
