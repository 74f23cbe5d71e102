// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Converts a text of the C API to a view, and back. An empty text of the C API may have a null
// pointer. A null pointer with a length, which the C API refuses, becomes an empty view.
#pragma once

#include <string_view>

#include "accp/types.h"

namespace accp {

// The overload for two arguments of a C function.
inline std::string_view to_view(const char *text, size_t len) {
    return {text ? text : "", text ? len : 0};
}
inline std::string_view to_view(const accp_text &text) { return to_view(text.text, text.len); }
inline accp_text to_text(std::string_view text) {
    return {text.data() ? text.data() : "", text.size()};
}

}  // namespace accp
