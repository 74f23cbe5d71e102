// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON of this protocol: its one limit on depth, and what is wrong with a text as a verdict.
#pragma once

#include "base/settings.h"
#include "sacp/message/verdict.h"
#include "value/json_reader.h"

namespace accp::plan {

constexpr uint32_t kMaxContainers = 128;  // inside one another (SACP-RULES R4)

// Where in a text, outside its strings, the bracket ends that opens one container too many inside
// one another; 0: none does. The text need not be JSON.
size_t find_too_deep(std::string_view text, uint32_t max = kMaxContainers);

inline value::JsonLimits message_limits(uint64_t max_bytes) { return {max_bytes, kMaxContainers}; }

// Replaces `out`. False: MALFORMED_MESSAGE or LIMIT, whichever comes first in the text.
bool read_json(value::JsonReader &reader, std::string_view text, uint64_t max_bytes,
               value::Value &out, Verdict &verdict);
// The same after the reader's make_index(), which answered `indexed`.
bool read_indexed_json(value::JsonReader &reader, Status indexed, std::string_view text,
                       uint64_t max_bytes, value::Value &out, Verdict &verdict);

}  // namespace accp::plan
