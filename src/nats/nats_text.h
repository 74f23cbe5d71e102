// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts of the C face.
#pragma once

#include <string_view>

#include "accp/types.h"

namespace accp_nats {

inline std::string_view view_of(const accp_text &text) {
    return {text.len ? text.text : "", text.len};
}

inline accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace accp_nats
