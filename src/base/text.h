// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A text of the C face as a view, and back. Where one of the C face is empty its pointer may be
// null; one that is null with a length, which the C face refuses, is empty here.
#pragma once

#include <string_view>

#include "accp/types.h"

namespace accp {

// Of two arguments of a function.
inline std::string_view to_view(const char *text, size_t len) {
    return {text ? text : "", text ? len : 0};
}
inline std::string_view to_view(const accp_text &text) { return to_view(text.text, text.len); }
inline accp_text to_text(std::string_view text) {
    return {text.data() ? text.data() : "", text.size()};
}

}  // namespace accp
