// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Whole numbers as people write them.
#pragma once

#include <charconv>
#include <concepts>

#include "base/memory.h"

namespace accp {

template <std::integral Number>
void append_decimal(Number number, Buffer<char> &out) {
    char *to = out.reserve(24);  // the widest has 20 characters
    out.set_end(std::to_chars(to, to + 24, number).ptr);
}

}  // namespace accp
