// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "transcript/write_steps.h"

#include <charconv>

#include "base/text.h"
#include "base/utf8.h"
#include "transcript/outbox.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

bool is_whole_message(const Part &part) {
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
    if (part.source == SourceKind::kGuide) return role == "system" || role == "developer";
    return role == "user" || (part.source == SourceKind::kResult && role == "tool");
}

}  // namespace

bool is_trusted(const Part &part) {
    return !part.is_untrusted && !(part.message && part.message->untrusted);
}

bool is_act(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kAct;
}

bool is_reply(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kResult && part.message &&
           part.message->agent == "assistant" && part.message->intent == "done" &&
           part.message->operation == "reply";
}

std::string_view plain_text(const Part &part) {
    if (!is_whole_message(part)) return {};
    const message::Message &message = *part.message;
    const bool is_guide = part.source == SourceKind::kGuide && message.agent == "system" &&
                          message.intent == "req" && message.operation == "notify";
    const bool is_task =
        part.source == SourceKind::kTask && message.intent == "req" && message.operation == "plan";
    return is_guide || is_task || is_reply(part) ? lone_text(message, "content", {})
                                                 : std::string_view();
}

std::string_view result_text(const Part &part) {
    if (!part.result.empty()) return part.result;
    if (!is_whole_message(part) || part.message->operation != "tool") return part.text;
    const std::string_view text =
        lone_text(*part.message, "result", {"tool_name", "call_id", "error"});
    return text.data() ? text : part.text;
}

uint32_t original(const Part &part, Provider provider, size_t &messages) {
    if (!is_whole_message(part) || !part.message->has_meta) return 0;
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

namespace {

// Members of a call that are written separately, and the schema, which belongs to the codec.
bool has_place(const message::Message &act, uint32_t node) {
    const std::string_view key = act.tree.key(node);
    const uint8_t kind = act.tree[node].kind;
    if (key == "thought" || key == "tool_name") return kind == ACCP_STRING;
    if (key == "call_id") return kind == ACCP_STRING || kind == ACCP_INT;
    return key == "arguments" || key == "schema";
}

}  // namespace

void write_call_words(const message::Message &act, Buffer<char> &out) {
    const uint32_t thought = act.find("thought");
    if (thought && act.tree[thought].kind == ACCP_STRING) {
        if (out.empty()) out.append(act.tree.string(thought));
        else join_text(act.tree.string(thought), out);
    }
    bool is_first = true;
    for (uint32_t i = act.payload + 1; i < act.tree[act.payload].next; i = act.tree[i].next) {
        if (has_place(act, i)) continue;
        if (is_first && !out.empty()) out.push('\n');
        out.push(is_first ? '{' : ',');
        is_first = false;
        value::write_json_string(act.tree.key(i), out);
        out.push(':');
        value::write_json(act.tree, i, out);
    }
    if (!is_first) out.push('}');
}

std::string_view tool_name_of(const message::Message &act) {
    const uint32_t name = act.find("tool_name");
    const bool has_name = name && act.tree[name].kind == ACCP_STRING && act.tree[name].len;
    return has_name ? act.tree.string(name) : act.operation;
}

void write_call_arguments(const message::Message &act, Buffer<char> &out) {
    const uint32_t arguments = act.find("arguments");
    if (act.tree[arguments].kind == ACCP_MAP) return value::write_json(act.tree, arguments, out);
    out.append("{\"input\":");
    value::write_json(act.tree, arguments, out);
    out.push('}');
}

bool is_error_result(const message::Message &result) {
    const uint32_t error = result.find("error");
    return error && result.tree[error].kind == ACCP_BOOL &&
           result.tree[error].flags & ACCP_NODE_TRUE;
}

void write_request_text(std::string_view text, Buffer<char> &scratch, Buffer<char> &out) {
    scratch.clear();
    while (!text.empty()) {
        const size_t valid = valid_utf8_prefix(text.data(), text.size());
        scratch.append(text.substr(0, valid));
        text.remove_prefix(valid);
        if (text.empty()) break;
        scratch.append("\xEF\xBF\xBD");
        text.remove_prefix(broken_utf8_size(text.data(), text.size()));
    }
    value::write_json_string(scratch.view(), out);
}

}  // namespace accp::transcript
