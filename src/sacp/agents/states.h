// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The states of a task, and which may follow which (SACP-RULES R35).
#pragma once

#include "sacp/message/verdict.h"

namespace accp::plan {

enum class Version : uint8_t { k01, k100 };

// Numbers of the states of either version; PENDING is 0 in both.
constexpr uint32_t kNoState = UINT32_MAX;
uint32_t find_state(Version version, std::string_view text);
// Static text with a NUL after it; empty, without a pointer, for no state.
std::string_view state_name(Version version, uint32_t state);
// DONE, FAILED, CANCELLED: nothing follows.
bool is_terminal(Version version, uint32_t state);
bool may_follow(Version version, uint32_t before, uint32_t after);

}  // namespace accp::plan
