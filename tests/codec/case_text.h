// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A member of a case as text: a string's content, otherwise its JSON; empty if it is missing.
#pragma once

#include <string>

#include "reference/ref_json.h"

namespace accp_codecs {

inline std::string text_of(const accp_ref::Json &value, const char *key) {
    const accp_ref::Json *found = value.find(key);
    if (!found) return {};
    return found->kind == accp_ref::JsonKind::kString ? found->text : accp_ref::write_json(*found);
}

}  // namespace accp_codecs
