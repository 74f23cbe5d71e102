// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds the original text of a part whose message has an equivalent in a provider's format.
#pragma once

#include "transcript/write.h"

namespace accp::transcript {

bool is_trusted(const Part &part);
bool is_act(const Part &part);
// Returns whether it is `done:reply` of the agent `assistant`.
bool is_reply(const Part &part);

// Returns the text of a message that has only this text and the role user, system or assistant
// (without calls). Returns a view without data for any other part, and for one that is untrusted
// or not whole.
std::string_view plain_text(const Part &part);
// The same for a result. For any other part, returns its text in the context.
std::string_view result_text(const Part &part);

// Returns the node of the original message of this provider, a map in the metadata, and the number
// of messages made from it. Returns 0 if the original was not kept.
uint32_t as_came(const Part &part, Provider provider, size_t &messages);

}  // namespace accp::transcript
