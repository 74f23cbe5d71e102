// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The three names that a message has, as the grammar of a frame allows them.
#pragma once

#include <string_view>

#include "base/bytes.h"
#include "base/status.h"

namespace accp::message {

// Is it not empty, at most `max_bytes` long, and of this class alone?
bool is_name(std::string_view text, ByteClass wanted, uint64_t max_bytes);

// What each name is made of, as an error says it.
inline constexpr const char *kAgentRule = "an agent is 1 to key_bytes letters, digits, - and _";
inline constexpr const char *kIntentRule = "an intent is 1 to key_bytes letters";
inline constexpr const char *kOperationRule =
    "an operation is 1 to key_bytes letters, digits and _";

// E1001 says which of the three is no name.
Status check_names(std::string_view agent, std::string_view intent, std::string_view operation,
                   uint64_t max_bytes);

}  // namespace accp::message
