// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the lines of a context as the grammar of docs/context.md has them, and knows nothing of how
// they are written: what looks like structure must be of the engine, and what a message says stands
// under its own head alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accp_context {

// A message that the session has. Each of its texts, keys and names holds tag_of() its number, but
// for what imitates.
struct Said {
    std::string agent, intent, operation;
    bool untrusted = false;
};

inline std::string tag_of(size_t number) { return "m" + std::to_string(number) + "x"; }

// Says what is wrong with a context of these messages, the first of which is number 1; or nothing.
// `checkpoint`: the newest one; 0: none.
std::string find_forgery(std::string_view context, const std::vector<Said> &said,
                         uint32_t checkpoint);

}  // namespace accp_context
