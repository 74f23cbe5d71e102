// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Of which blocks a context consists, in tokens.
#pragma once

#include <array>
#include <cstdint>

#include "accp/context.h"

namespace cli {

struct BlockKind {
    const char *name;
    const char *colour;  // as SVG writes it
};

// By accp_block_kind: as they stand in a context, the first at its beginning.
inline constexpr BlockKind kBlockKinds[] = {
    {"pinned", "#9aa0a6"}, {"left_out", "#333333"}, {"closed", "#e0b062"},
    {"open", "#7fb0dd"},   {"newest", "#2f6ca8"},   {"values", "#8a6fb0"},
};
// A replay puts no values.
inline constexpr size_t kContextBlocks = sizeof kBlockKinds / sizeof kBlockKinds[0] - 1;

using BlockTokens = std::array<uint64_t, kContextBlocks>;

// Of the context that the session has now.
inline accp_status split_context(accp_session *session, uint64_t budget, BlockTokens &out,
                                 accp_error &err) {
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    const accp_status status = accp_session_context_blocks(session, budget, &blocks, &count, &err);
    out = {};
    for (size_t i = 0; status == ACCP_OK && i < count; ++i)
        out.at(static_cast<size_t>(blocks[i].kind)) += blocks[i].tokens;
    return status;
}

}  // namespace cli
