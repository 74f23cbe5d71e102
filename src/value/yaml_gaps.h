// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What stands in a YAML text outside its scalars: libyaml takes some of it that the safe subset
// does not have, and tells of none.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"
#include "base/status.h"

namespace accp::value {

// Bytes of the text; tabs are allowed in all but plain scalars.
struct ScalarRange {
    uint32_t begin, end;
    bool plain;
};

// Up to byte `end`: a tab outside of quotes, blocks and comments; a directive; a key after `?`.
// ACCP_E1001. `scalars` are in the order of the text.
Status check_yaml_gaps(std::string_view text, const Buffer<ScalarRange> &scalars, size_t end);

}  // namespace accp::value
