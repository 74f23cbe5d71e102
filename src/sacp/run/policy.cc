// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/run/policy.h"

#include "value/json_line.h"

namespace accp::sacp {

namespace {

// A numeric member and its range.
struct NumericMember {
    std::string_view name;
    uint64_t Bounds::*place;
    uint64_t min, max;
};

constexpr uint64_t kMaxRetries = 1000;
constexpr uint64_t kMaxWait = uint64_t{365} * 86'400'000;
constexpr uint64_t kMaxText = UINT32_MAX / 4;

constexpr NumericMember kNumericMembers[] = {
    {"retries", &Bounds::retries, 0, kMaxRetries},
    {"timeout_ms", &Bounds::timeout_ms, 1, kMaxWait},
    {"backoff_ms", &Bounds::backoff_ms, 0, kMaxWait},
    {"max_backoff_ms", &Bounds::max_backoff_ms, 0, kMaxWait},
    {"jitter_percent", &Bounds::jitter_percent, 0, 1000},
    {"max_parallel", &Bounds::max_parallel, 1, 1 << 20},
    {"max_output_bytes", &Bounds::max_output, 1, kMaxText},
    {"max_params_bytes", &Bounds::max_params, 2, kMaxText},
    {"max_held_bytes", &Bounds::max_held, 2, kMaxText},
};

const NumericMember *find_number(std::string_view name) {
    for (const NumericMember &member : kNumericMembers)
        if (member.name == name) return &member;
    return nullptr;
}

bool is_number(value::TreeView tree, uint32_t node, const NumericMember &member, uint64_t &out) {
    return value::parse_number(tree, node, out) && member.min <= out && out <= member.max;
}

bool refuse(Verdict &verdict, const char *details) {
    return verdict.refuse(Code::kINVALID_TYPE, details);
}

}  // namespace

bool Policy::read(std::string_view document, uint64_t max_bytes, Verdict &verdict) {
    verdict.clear();
    bounds_ = {};
    tools_ = simulate_ = 0;
    value_.clear();
    if (document.empty()) return true;
    if (!read_json(reader_, document, max_bytes, value_, verdict)) return false;
    const value::TreeView tree = value_.view();
    if (tree[0].kind != ACCP_MAP) return refuse(verdict, "a policy must be an object");
    for (uint32_t i = 1; i < tree[0].next; i = tree[i].next) {
        const std::string_view key = tree.key(i);
        const bool map = tree[i].kind == ACCP_MAP;
        if (const NumericMember *member = find_number(key)) {
            if (!is_number(tree, i, *member, bounds_.*member->place))
                return refuse(verdict, "a value of a policy is not a number or is out of range");
        } else if (key == "fallback" && tree[i].kind == ACCP_BOOL) {
            bounds_.fallback = tree[i].flags & ACCP_NODE_TRUE;
        } else if (key == "tools" && map) {
            tools_ = i;
        } else if (key == "simulate" && map) {
            simulate_ = i;
        } else {
            return refuse(verdict, "a member of a policy is unknown or has the wrong type");
        }
    }
    return !tools_ || read_tools(verdict);
}

bool Policy::read_tools(Verdict &verdict) {
    const value::TreeView tree = value_.view();
    for (uint32_t i = tools_ + 1; i < tree[tools_].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP)
            return refuse(verdict, "the policy of a tool must be an object");
        for (uint32_t k = i + 1; k < tree[i].next; k = tree[k].next) {
            const bool known = tree.key(k) == "retries" || tree.key(k) == "timeout_ms";
            uint64_t number;
            if (!known || !is_number(tree, k, *find_number(tree.key(k)), number))
                return refuse(
                    verdict, "the policy of a tool can have only retries and timeout_ms, in range");
        }
    }
    return true;
}

uint64_t Policy::tool_number(std::string_view tool, std::string_view member,
                             uint64_t otherwise) const {
    const uint32_t own = tools_ ? tree().find(tools_, tool) : 0,
                   node = own ? tree().find(own, member) : 0;
    uint64_t number;
    return node && value::parse_number(tree(), node, number) ? number : otherwise;
}

}  // namespace accp::sacp
