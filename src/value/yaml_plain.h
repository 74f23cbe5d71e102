// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a plain scalar of YAML means, by the core schema of YAML 1.2.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::value {

struct Plain {
    uint8_t kind;        // ACCP_NULL, ACCP_BOOL, ACCP_INT, ACCP_NUMBER or ACCP_STRING
    bool truth = false;  // of a bool
    bool range = true;   // false: a number that JSON hosts do not keep, beyond 2^53 - 1 or a double
};

// Of a number, `out` is given its JSON text: an integer in decimal, another as a double prints.
Plain resolve_plain(std::string_view text, Buffer<char> &out);

// Does it stand for null, as one with nothing in it does?
bool is_plain_null(std::string_view text);

// Is it an integer of the core schema, from 0 to 2^53 - 1? `out` is untouched where it is not.
bool read_plain_count(std::string_view text, uint64_t &out);

}  // namespace accp::value
