// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See json_fault.h.
#include "value/json_fault.h"

#include "base/utf8.h"

namespace accp::value {

Status json_fault(const char *text, size_t len) {
    size_t valid = valid_utf8_prefix(text, len);
    bool string = false;
    for (size_t i = 0; i < valid; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (string && c < 0x20)
            return fail(ACCP_E1001, i, "a control character inside a JSON string");
        if (string && c == '\\') ++i;
        else if (c == '"') string = !string;
    }
    if (valid < len) return fail(ACCP_E1004, valid, "not UTF-8");
    if (string) return fail(ACCP_E1001, len, "a string without an end");
    return fail(ACCP_E1001, 0, "not JSON");
}

}  // namespace accp::value
