// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/message.h"

#include <span>

#include "base/bytes.h"

namespace accp::sacp {

namespace {

constexpr std::string_view kMemberNames[kMembers] = {
    "g",        "ctx",       "plan",    "out_fmt",   "state",  "msg_id",
    "reply_to", "proto_ver", "subtask", "test_mode", "result", "ext"};

struct StateRule {
    std::string_view name;
    uint32_t after;  // a bit for each possible next state; 0: terminal
};

constexpr uint32_t bits(std::initializer_list<int> states) {
    uint32_t all = 0;
    for (int state : states) all |= 1u << state;
    return all;
}

// A state that is not terminal may follow itself without effect.
constexpr StateRule kStates01[] = {
    {"PENDING", bits({0, 1, 3})}, {"IN_PROGRESS", bits({1, 2, 3})}, {"DONE", 0}, {"FAILED", 0}};
constexpr StateRule kStates100[] = {{"PENDING", bits({0, 1, 5, 6})},
                                    {"ACCEPTED", bits({1, 2, 5, 6})},
                                    {"IN_PROGRESS", bits({2, 3, 4, 5, 6})},
                                    {"WAITING", bits({3, 2, 5, 6})},
                                    {"DONE", 0},
                                    {"FAILED", 0},
                                    {"CANCELLED", 0}};

std::span<const StateRule> rules(Version version) {
    return version == Version::k01 ? std::span<const StateRule>(kStates01) : kStates100;
}

}  // namespace

std::string_view member_name(Member member) { return kMemberNames[member]; }

// Switches on the length, because this function is called very often.
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

uint32_t find_state(Version version, std::string_view text) {
    for (uint32_t i = 0; i < rules(version).size(); ++i)
        if (rules(version)[i].name == text) return i;
    return kNoState;
}

std::string_view state_name(Version version, uint32_t state) {
    return state < rules(version).size() ? rules(version)[state].name : std::string_view();
}

bool is_terminal(Version version, uint32_t state) { return !rules(version)[state].after; }

bool may_follow(Version version, uint32_t before, uint32_t after) {
    return rules(version)[before].after >> after & 1;
}

size_t find_too_deep(std::string_view text, uint32_t max) {
    uint32_t depth = 0;
    bool string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (string) {
            if (c == '\\') ++i;
            else string = c != '"';
            continue;
        }
        if (c == '"') string = true;
        else if ((c == '{' || c == '[') && ++depth > max) return i + 1;
        else if ((c == '}' || c == ']') && depth) --depth;
    }
    return 0;
}

bool read_json(value::JsonReader &reader, std::string_view text, uint64_t max_bytes,
               value::Value &out, Verdict &verdict) {
    const Status indexed = reader.make_index(text.data(), text.size(), message_limits(max_bytes));
    return read_indexed_json(reader, indexed, text, max_bytes, out, verdict);
}

bool read_indexed_json(value::JsonReader &reader, Status status, std::string_view text,
                       uint64_t max_bytes, value::Value &out, Verdict &verdict) {
    const value::JsonLimits limits = message_limits(max_bytes);
    out.clear();
    if (status.ok()) {
        status = reader.read_indexed(text.data(), text.size(), limits, out);
    } else if (!status.limit) {
        // The index failed on the whole text. A container that is too deep before that place, or a
        // fault in front of it, takes precedence.
        const size_t end = find_too_deep(text.substr(0, status.offset));
        if (end) status = reader.read(text.data(), end, limits, out);
    }
    if (status.ok()) return true;
    out.clear();
    return verdict.refuse(status.limit ? Code::kLIMIT : Code::kMALFORMED_MESSAGE, status.message,
                          status.offset);
}

}  // namespace accp::sacp
