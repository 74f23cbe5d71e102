// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How many tokens a request to a provider has: by one rule for all of them, from the request as it
// is handed out, so that anybody can count it again. docs/context.md states it.
#pragma once

#include "session/scratch.h"

namespace accp::session {

constexpr uint64_t kAnswerTokens = 3;    // with which the answer begins
constexpr uint64_t kMessageTokens = 4;   // of a message, beside its texts
constexpr uint64_t kMediaTokens = 1500;  // of an image, a document, audio

// `request`: a list of messages, or {"system","messages"}.
Status count_request(std::string_view request, Scratch &scratch, uint64_t &tokens);

}  // namespace accp::session
