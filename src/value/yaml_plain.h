// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The meaning of plain scalars in the core schema of YAML 1.2.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::value {

struct PlainScalar {
    uint8_t kind;          // ACCP_NULL, ACCP_BOOL, ACCP_INT, ACCP_NUMBER or ACCP_STRING
    bool is_true = false;  // of ACCP_BOOL
    bool is_in_range =
        // false for a number that JSON hosts cannot represent: beyond 2^53 - 1 or the range of a
        // double
        true;
};

// For a number, writes its JSON text to `out`: integers in decimal, others like a printed double.
PlainScalar resolve_plain(std::string_view text, Buffer<char> &out);

// Returns whether the scalar is null; an empty scalar is.
bool is_plain_null(std::string_view text);

// Reads an integer of the core schema from 0 to 2^53 - 1. Otherwise `out` is unchanged.
bool read_plain_count(std::string_view text, uint64_t &out);

}  // namespace accp::value
