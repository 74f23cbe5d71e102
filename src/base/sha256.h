// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SHA-256 as hexadecimal text. It identifies content that must be the same on both sides.
#pragma once

#include <string_view>

namespace accp {

struct Digest {
    char hex[65];  // lower case, and a NUL

    std::string_view view() const { return {hex, sizeof hex - 1}; }
    std::string_view first(size_t digits) const { return {hex, digits}; }
};

Digest sha256(std::string_view text);

}  // namespace accp
