// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members of a message, in the order of its canonical form (SACP-RULES R25).
#pragma once

#include "value/tree.h"

namespace accp::plan {

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

}  // namespace accp::plan
