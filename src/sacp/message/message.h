// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members of a message, in the order of its canonical form (SACP-RULES R25).
//
// The states of a task, and which may follow which (SACP-RULES R35).
//
// JSON of this protocol: its one limit on depth, and what is wrong with a text as a verdict.
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
// kMembers: there is no such member.
Member find_member(std::string_view key);

// Which node of a message each member is; 0: absent. Returns the first node that is none of them,
// or 0.
uint32_t find_members(value::TreeView tree, uint32_t message, uint32_t (&out)[kMembers]);

enum class OutFmt : uint8_t { kRaw, kHuman, kSummary, kNone };
OutFmt find_out_fmt(std::string_view text);

// [A-Za-z0-9._:-]{1,max}
bool is_id(std::string_view text, size_t max = 128);

enum class Version : uint8_t { k01, k100 };

// Numbers of the states of either version; PENDING is 0 in both.
constexpr uint32_t kNoState = UINT32_MAX;
uint32_t find_state(Version version, std::string_view text);
// Static text with a NUL after it; empty, without a pointer, for no state.
std::string_view state_name(Version version, uint32_t state);
// DONE, FAILED, CANCELLED: nothing follows.
bool is_terminal(Version version, uint32_t state);
bool may_follow(Version version, uint32_t before, uint32_t after);

constexpr uint32_t kMaxMessageDepth = 128;  // inside one another (SACP-RULES R4)

// Where in a text, outside its strings, the bracket ends that opens one container too many inside
// one another; 0: none does. The text need not be JSON.
size_t find_too_deep(std::string_view text, uint32_t max = kMaxMessageDepth);

inline value::JsonLimits message_limits(uint64_t max_bytes) {
    return {max_bytes, kMaxMessageDepth};
}

// Replaces `out`. False: MALFORMED_MESSAGE or LIMIT, whichever comes first in the text.
bool read_json(value::JsonReader &reader, std::string_view text, uint64_t max_bytes,
               value::Value &out, Verdict &verdict);
// The same after the reader's make_index(), which answered `indexed`.
bool read_indexed_json(value::JsonReader &reader, Status indexed, std::string_view text,
                       uint64_t max_bytes, value::Value &out, Verdict &verdict);

}  // namespace accp::sacp
