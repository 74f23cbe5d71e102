// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See message.h.
#include "plan/message.h"

#include "base/bytes.h"

namespace accp::plan {

namespace {

constexpr std::string_view kNames[kMembers] = {"g",       "ctx",       "plan",     "out_fmt",
                                               "state",   "msg_id",    "reply_to", "proto_ver",
                                               "subtask", "test_mode", "result",   "ext"};

Member equal(std::string_view key, Member member) {
    return key == kNames[member] ? member : kMembers;
}
// Of two names of one length.
Member either(std::string_view key, Member a, Member b) {
    return equal(key, key[0] == kNames[a][0] ? a : b);
}

}  // namespace

std::string_view member_name(Member member) { return kNames[member]; }

Member find_member(std::string_view key) {
    switch (key.size()) {
        case 1: return equal(key, kGoal);
        case 3: return either(key, kCtx, kExt);
        case 4: return equal(key, kPlan);
        case 5: return equal(key, kState);
        case 6: return either(key, kMsgId, kResult);
        case 7: return either(key, kOutFmt, kSubtaskMember);
        case 8: return equal(key, kReplyTo);
        case 9: return either(key, kProtoVer, kTestMode);
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

State find_state(std::string_view text) {
    return text == "PENDING"       ? State::kPending
           : text == "IN_PROGRESS" ? State::kInProgress
           : text == "DONE"        ? State::kDone
           : text == "FAILED"      ? State::kFailed
                                   : State::kNone;
}

OutFmt find_out_fmt(std::string_view text) {
    return text == "raw"       ? OutFmt::kRaw
           : text == "human"   ? OutFmt::kHuman
           : text == "summary" ? OutFmt::kSummary
                               : OutFmt::kNone;
}

bool is_message_id(std::string_view text) {
    if (text.empty() || text.size() > 128) return false;
    for (char c : text)
        if (!is_agent(static_cast<unsigned char>(c)) && c != '.' && c != ':') return false;
    return true;
}

}  // namespace accp::plan
