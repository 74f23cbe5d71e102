// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the lines of a context by the grammar in docs/context.md, without any code that writes
// them. What looks like structure must come from the engine, and the text of a message must only be
// under its own header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accp_context {

// A message of the session. Each of its texts, keys and names contains tag_of() its number, except
// those that imitate structure.
struct Said {
    std::string agent, intent, operation;
    bool untrusted = false;
};

inline std::string tag_of(size_t number) { return "m" + std::to_string(number) + "x"; }

// Returns what is wrong with a context of these messages, the first of which has number 1; or
// nothing. `checkpoint`: the newest one; 0: none.
std::string find_forgery(std::string_view context, const std::vector<Said> &said,
                         uint32_t checkpoint);

}  // namespace accp_context
