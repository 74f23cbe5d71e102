// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The part of a config that every handle copies.
#pragma once

#include <cstdint>
#include <string_view>

#include "accp/config.h"
#include "base/limits.h"
#include "base/memory.h"

namespace accp {

struct Settings {
    Settings() : allocator(private_allocator()) {
        for (int i = 0; i < kLimitCount; ++i) limits[i] = kLimits[i].standard;
    }

    uint64_t limit(accp_limit which) const { return limits[which]; }
    bool has(uint32_t extension) const { return (extensions & extension) != 0; }
    // Returns the dialect in use: the extension u8 implies the dialect u8.
    int32_t reading() const {
        return has(ACCP_EXT_U8) && dialect == ACCP_STRICT ? int32_t{ACCP_U8} : dialect;
    }

    accp_allocator allocator;
    uint64_t limits[kLimitCount];
    int32_t dialect = ACCP_STRICT;
    uint32_t extensions = ACCP_EXT_Q1;
    bool abbreviate = false;
    bool keep_refs = false;
    uint32_t token_cache = kTokenCache;
    bool special_tokens = false;
    bool spells_cheapest = false;  // rule spell
    bool any_intent = false;
    bool redact_secrets = true;
};

}  // namespace accp
