// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A long text made short as the context engine does it: its beginning, its end, and lines between.
#pragma once

#include <string>
#include <string_view>

#include "server/library/handles.h"

namespace server {

// At least 200 tokens and at most about max_tokens; "… 40 lines" stands where something is missing.
// Throws Failure.
std::string cut_text(std::string_view text, uint64_t max_tokens, const accp_tokenizer *tokenizer);

// "E2001: what is wrong"; of what is wrong with a text also where: "E1001 at byte 17: …".
std::string tell_error(const accp_error &err);
// Throws Failure where a call has failed.
void check(accp_status status, const accp_error &err);

}  // namespace server
