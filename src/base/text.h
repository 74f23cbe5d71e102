// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A text of the C face as a view, and back. Where one of the C face is empty its pointer may be
// null.
#pragma once

#include <string_view>

#include "accp/types.h"

namespace accp {

inline std::string_view to_view(const accp_text &text) {
    return {text.len ? text.text : "", text.len};
}
// Of two arguments of a function.
inline std::string_view to_view(const char *text, size_t len) { return {text ? text : "", len}; }
inline accp_text to_text(std::string_view text) {
    return {text.data() ? text.data() : "", text.size()};
}

}  // namespace accp
