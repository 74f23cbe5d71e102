// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in which the library keeps things of its own, such as the registry of agents: nobody
// speaks in them, and nobody reads them from outside.
#pragma once

#include <string_view>

namespace server {

constexpr std::string_view kTaskIndex = "a2a.tasks";  // which tasks of A2A there are

inline bool is_own_session(std::string_view id) {
    return id.starts_with("accp.") || id == kTaskIndex;
}

}  // namespace server
