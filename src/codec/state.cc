// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See state.h.
#include "codec/state.h"

namespace accp::codec {

bool names_tier(std::string_view ref) {
    const std::string_view label = ref.substr(0, ref.find('.'));
    if (label.size() == ref.size()) return false;
    return label == "hot" || label == "warm" || label == "cold" || label == "ctx";
}

}  // namespace accp::codec
