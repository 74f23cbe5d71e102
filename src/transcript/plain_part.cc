// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See plain_part.h.
#include "transcript/plain_part.h"

#include <charconv>

#include "base/name_list.h"

namespace accp::transcript {

namespace {

bool is_said(const Part &part) {
    return part.kind != PartKind::kClosed && part.is_whole && part.message && is_trusted(part);
}

// Returns the text of this member if the payload has no other members than `others`.
std::string_view lone_text(const message::Message &message, std::string_view key,
                           std::initializer_list<std::string_view> others) {
    const uint32_t node = message.find(key);
    if (!node || message.tree[node].kind != ACCP_STRING) return {};
    const value::TreeView tree = message.tree;
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; i = tree[i].next)
        if (i != node && !is_among(tree.key(i), others)) return {};
    const std::string_view text = tree.string(node);
    return text.data() ? text : std::string_view("", 0);
}

// Returns whether a message of this role may replace the part.
bool has_role_of(const Part &part, std::string_view role) {
    if (is_act(part) || is_reply(part)) return role == "assistant";
    if (part.said == Said::kGuide) return role == "system" || role == "developer";
    return role == "user" || (part.said == Said::kResult && role == "tool");
}

}  // namespace

bool is_trusted(const Part &part) {
    return !part.is_untrusted && !(part.message && part.message->untrusted);
}

bool is_act(const Part &part) { return part.kind == PartKind::kOpen && part.said == Said::kAct; }

bool is_reply(const Part &part) {
    return part.kind == PartKind::kOpen && part.said == Said::kResult && part.message &&
           part.message->agent == "assistant" && part.message->intent == "done" &&
           part.message->operation == "reply";
}

std::string_view plain_text(const Part &part) {
    if (!is_said(part)) return {};
    const message::Message &message = *part.message;
    const bool is_guide = part.said == Said::kGuide && message.agent == "system" &&
                          message.intent == "req" && message.operation == "notify";
    const bool is_task =
        part.said == Said::kTask && message.intent == "req" && message.operation == "plan";
    return is_guide || is_task || is_reply(part) ? lone_text(message, "content", {})
                                                 : std::string_view();
}

std::string_view result_text(const Part &part) {
    if (!is_said(part) || part.message->operation != "tool") return part.text;
    const std::string_view text =
        lone_text(*part.message, "result", {"tool_name", "call_id", "error"});
    return text.data() ? text : part.text;
}

uint32_t as_came(const Part &part, Provider provider, size_t &messages) {
    if (!is_said(part) || !part.message->has_meta) return 0;
    const value::TreeView tree = part.message->meta_tree;
    const uint32_t kept =
        tree.find(part.message->meta, provider == Provider::kOpenAi ? "openai" : "anthropic");
    if (!kept || tree[kept].kind != ACCP_MAP) return 0;
    const uint32_t message = tree.find(kept, "message"), count = tree.find(kept, "messages");
    if (!message || tree[message].kind != ACCP_MAP || !count || tree[count].kind != ACCP_INT)
        return 0;
    const uint32_t role = tree.find(message, "role");
    if (!role || tree[role].kind != ACCP_STRING || !has_role_of(part, tree.string(role))) return 0;
    const std::string_view digits = tree.string(count);
    std::from_chars(digits.data(), digits.data() + digits.size(), messages);
    return messages ? message : 0;
}

}  // namespace accp::transcript
