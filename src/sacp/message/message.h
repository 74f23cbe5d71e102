// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The parts of a message: its members in canonical order (SACP-RULES R25), the states of a task
// (R35), ids, and the limit on nested JSON (R4).
#pragma once

#include "base/settings.h"
#include "sacp/message/verdict.h"
#include "value/json_reader.h"
#include "value/tree.h"

namespace accp::sacp {

enum Member : uint32_t {
    kGoal,
    kCtx,
    kPlan,
    kOutFmt,
    kState,
    kMsgId,
    kReplyTo,
    kProtoVer,
    kSubtaskMember,
    kTestMode,
    kResult,
    kExt,
    kMembers
};

std::string_view member_name(Member member);
// Returns kMembers for an unknown key.
Member find_member(std::string_view key);

// Stores the node of each member, 0 if absent. Returns the first unknown member, or 0.
uint32_t find_members(value::TreeView tree, uint32_t message, uint32_t (&out)[kMembers]);

enum class OutFmt : uint8_t { kRaw, kHuman, kSummary, kNone };
OutFmt find_out_fmt(std::string_view text);

// [A-Za-z0-9._:-]{1,max}
bool is_id(std::string_view text, size_t max = 128);

enum class Version : uint8_t { k01, k100 };

// State numbers of both versions; PENDING is 0 in both.
constexpr uint32_t kNoState = UINT32_MAX;
uint32_t find_state(Version version, std::string_view text);
// Returns static text that ends with NUL, or an empty view with a null pointer.
std::string_view state_name(Version version, uint32_t state);
// Returns true for DONE, FAILED and CANCELLED.
bool is_terminal(Version version, uint32_t state);
bool may_follow(Version version, uint32_t before, uint32_t after);

constexpr uint32_t kMaxMessageDepth = 128;  // levels of containers (SACP-RULES R4)

// Returns the offset after the first bracket that exceeds `max` levels outside strings; 0 if none
// does. The text need not be JSON.
size_t find_too_deep(std::string_view text, uint32_t max = kMaxMessageDepth);

inline value::JsonLimits message_limits(uint64_t max_bytes) {
    return {max_bytes, kMaxMessageDepth};
}

// Replaces `out`. Returns false with MALFORMED_MESSAGE or LIMIT, whichever is first in the text.
bool read_json(value::JsonReader &reader, std::string_view text, uint64_t max_bytes,
               value::Value &out, Verdict &verdict);
// The same after make_index() of the reader, which returned `indexed`.
bool read_indexed_json(value::JsonReader &reader, Status indexed, std::string_view text,
                       uint64_t max_bytes, value::Value &out, Verdict &verdict);

}  // namespace accp::sacp
