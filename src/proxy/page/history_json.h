// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The history of calls as JSON, for the page.
//
//   overview     = {now_ms, groups: [{is_priced, sum, curve}…], rewritten, held_out,
//                   last_failure: {time_ms, upstream, reason} or null, conversations: [ONE…]}
//   conversation = {now_ms, …of ONE, curve, calls, evictions, skipped_pages, pages: [PAGE…]}
//   curve        = [[time_ms, billed, untouched]…]    ; sums
//   PAGE         = [kind, use, tokens, sent_tokens, evicted_at, label]   ; kind and use: their
//   numbers
//
// A sum is that of totals_json(), also rewritten and held_out. Bills are in dollars if `is_priced`,
// else in millions of plain input tokens.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/call_history.h"

namespace proxy {

std::string overview_json(const CallHistory &history, const Ledger &ledger, int64_t now_ms);
std::string conversation_json(const CallHistory::Conversation &conversation, int64_t now_ms);

// Reads the id of a conversation, 16 hexadecimal digits; nothing if it is not one.
std::optional<uint64_t> read_conversation_id(std::string_view text);

}  // namespace proxy
