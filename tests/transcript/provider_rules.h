// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A second, slow implementation of the checks of providers, on the tree of the request's JSON.
#pragma once

#include <string>

#include "reference/ref_json.h"

namespace accp_transcript {

// Returns the first rule that a request breaks, or an empty text.
std::string broken_openai_rule(const accp_ref::Json &messages);
std::string broken_anthropic_rule(const accp_ref::Json &request);

}  // namespace accp_transcript
