// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which text of a frame is a number, and which is a ref (docs/wire.md 2).
#pragma once

#include <cstdint>

#include "accp/types.h"
#include "base/bytes.h"

namespace accp::frame {

// ACCP_INT, ACCP_DEC, or ACCP_STRING for text that only looks like one: 007, -0, .5, 1e5.
inline uint8_t wire_number_kind(const char *text, uint32_t len) {
    const char *p = text, *end = text + len;
    if (p < end && *p == '-') ++p;
    const char *integer = p;
    while (p < end && is_digit(static_cast<unsigned char>(*p))) ++p;
    if (p == integer || (*integer == '0' && p - integer > 1)) return ACCP_STRING;
    if (p == end) return *text == '-' && *integer == '0' ? ACCP_STRING : ACCP_INT;
    if (*p++ != '.' || p == end) return ACCP_STRING;
    while (p < end && is_digit(static_cast<unsigned char>(*p))) ++p;
    return p == end ? ACCP_DEC : ACCP_STRING;
}

// Labels of [A-Za-z0-9_]+ with a dot between them.
inline bool is_ref(const char *text, uint32_t len) {
    bool label = false;
    for (uint32_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (c != '.' && !is_word(c)) return false;
        if (c == '.' && !label) return false;
        label = c != '.';
    }
    return label;
}

}  // namespace accp::frame
