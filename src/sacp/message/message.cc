// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See message.h.
#include "sacp/message/message.h"

#include "base/bytes.h"

namespace accp::plan {

namespace {

constexpr std::string_view kMemberNames[kMembers] = {
    "g",        "ctx",       "plan",    "out_fmt",   "state",  "msg_id",
    "reply_to", "proto_ver", "subtask", "test_mode", "result", "ext"};

}  // namespace

std::string_view member_name(Member member) { return kMemberNames[member]; }

// By comparisons with texts of a known length: of nothing is asked more often.
Member find_member(std::string_view key) {
    switch (key.size()) {
        case 1: return key == "g" ? kGoal : kMembers;
        case 3: return key == "ctx" ? kCtx : key == "ext" ? kExt : kMembers;
        case 4: return key == "plan" ? kPlan : kMembers;
        case 5: return key == "state" ? kState : kMembers;
        case 6: return key == "msg_id" ? kMsgId : key == "result" ? kResult : kMembers;
        case 7: return key == "out_fmt" ? kOutFmt : key == "subtask" ? kSubtaskMember : kMembers;
        case 8: return key == "reply_to" ? kReplyTo : kMembers;
        case 9: return key == "proto_ver" ? kProtoVer : key == "test_mode" ? kTestMode : kMembers;
        default: return kMembers;
    }
}

uint32_t find_members(value::TreeView tree, uint32_t message, uint32_t (&out)[kMembers]) {
    uint32_t unknown = 0;
    for (uint32_t &node : out) node = 0;
    for (uint32_t i = message + 1; i < tree[message].next; i = tree[i].next) {
        const Member member = find_member(tree.key(i));
        if (member != kMembers) out[member] = i;
        else if (!unknown) unknown = i;
    }
    return unknown;
}

OutFmt find_out_fmt(std::string_view text) {
    return text == "raw"       ? OutFmt::kRaw
           : text == "human"   ? OutFmt::kHuman
           : text == "summary" ? OutFmt::kSummary
                               : OutFmt::kNone;
}

bool is_id(std::string_view text, size_t max) {
    if (text.empty() || text.size() > max) return false;
    for (char c : text)
        if (!is_agent(static_cast<unsigned char>(c)) && c != '.' && c != ':') return false;
    return true;
}

}  // namespace accp::plan
