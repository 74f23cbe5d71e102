// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a part is that was said in a provider's terms: the text alone, as it was said.
#pragma once

#include "transcript/write.h"

namespace accp::transcript {

bool is_trusted(const Part &part);
bool is_act(const Part &part);
// Is it `done:reply` of the agent `assistant`?
bool is_reply(const Part &part);

// The text of a message that has a provider's role and says no more than it: a user's, a system's,
// an assistant's without calls. Without data: it is none, or is not trusted, or not whole.
std::string_view plain_text(const Part &part);
// The same of a result; else the text that the part has in the context.
std::string_view result_text(const Part &part);

// The message that this provider's list had, a map in the metadata, and how many messages became of
// it; 0: it is not kept.
uint32_t as_came(const Part &part, Provider provider, size_t &messages);

}  // namespace accp::transcript
