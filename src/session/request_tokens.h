// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts the tokens of a request to a provider. One rule holds for all providers and uses only the
// finished request, so anybody can repeat the count. docs/context.md states the rule.
#pragma once

#include "session/scratch.h"

namespace accp::session {

constexpr uint64_t kAnswerTokens = 3;    // the start of the answer
constexpr uint64_t kMessageTokens = 4;   // per message, in addition to its texts
constexpr uint64_t kMediaTokens = 1500;  // per image, document or audio

// `request`: an array of messages, or {"system","messages"}.
Status count_request(std::string_view request, Scratch &scratch, uint64_t &tokens);

}  // namespace accp::session
