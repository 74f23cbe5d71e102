// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The blocks of a context, as MCP and the page name them.
#pragma once

#include <cstdint>

namespace server {

// Of an accp_block_kind.
inline const char *block_name(int32_t kind) {
    constexpr const char *kNames[] = {"pinned", "gap", "closed", "open", "newest", "values"};
    return kNames[kind];
}

}  // namespace server
