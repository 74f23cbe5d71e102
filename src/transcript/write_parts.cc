// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "transcript/write_steps.h"

#include <cstring>

#include "base/text.h"
#include "base/utf8.h"
#include "transcript/call_names.h"
#include "transcript/outbox.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

bool has_message(const Part &part) {
    return part.kind != PartKind::kClosed && part.message && is_trusted(part);
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

std::string_view to_arena(std::string_view text, Arena &arena) {
    char *copy = arena.allocate<char>(text.size());
    if (!text.empty()) std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
}

// Members of a result that are written separately.
bool is_beside_result(const message::Message &result, uint32_t node) {
    const std::string_view key = result.tree.key(node);
    const uint8_t kind = result.tree[node].kind;
    return (key == "tool_name" && kind == ACCP_STRING) ||
           (key == "call_id" && !value::is_container(kind)) ||
           (key == "error" && kind == ACCP_BOOL);
}

// Returns the JSON of the other members than `without`, or an empty text.
std::string_view other_members(const message::Message &result, uint32_t without, Memory &memory,
                               Arena &arena) {
    const value::TreeView tree = result.tree;
    Buffer<char> json(memory);
    value::ObjectWriter members(json);
    for (uint32_t i = result.payload + 1; i < tree[result.payload].next; i = tree[i].next)
        if (i != without && !is_beside_result(result, i)) members.add(tree, i);
    if (members.empty()) return {};
    members.end();
    return to_arena(json.view(), arena);
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

std::string_view whole_text(const Part &part) {
    if (!has_message(part)) return {};
    const message::Message &message = *part.message;
    const bool is_guide = part.source == SourceKind::kGuide && message.agent == "system" &&
                          message.intent == "req" && message.operation == "notify";
    const bool is_task =
        part.source == SourceKind::kTask && message.intent == "req" && message.operation == "plan";
    if (!is_guide && !is_task && !is_reply(part)) return {};
    return lone_text(message, "content", {});
}

std::string_view plain_text(const Part &part) {
    const std::string_view text = whole_text(part);
    return text.data() && !part.is_whole ? part.shown : text;
}

ResultText result_text(const Part &part, Memory &memory, Arena &arena) {
    if (!part.result.empty()) return {part.result, {}, true};
    if (!has_message(part)) return {part.text, {}, false};
    const message::Message &message = *part.message;
    const uint32_t node = message.is_text() ? message.payload : message.find("result");
    const bool has_text = message.tree[node].kind == ACCP_STRING;
    if (!part.is_whole && (!has_text || !part.shown.data())) return {part.text, {}, false};
    if (message.is_text() && !has_text) return {part.text, {}, false};
    std::string_view others;
    if (!message.is_text()) others = other_members(message, has_text ? node : 0, memory, arena);
    if (!has_text) return {others, {}, true};
    return {part.is_whole ? message.tree.string(node) : part.shown, others, true};
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

// A call that is not whole stays a call: its short arguments stay, and a ref stands for each other.
constexpr size_t kMaxShortBytes = 160;
constexpr uint32_t kMaxShortMembers = 32;

bool is_short(value::TreeView tree, uint32_t node) {
    return !value::is_container(tree[node].kind) && tree[node].len <= kMaxShortBytes;
}

// Appends the line for a text or another value that is left out.
void write_left_out(const Part &part, std::string_view path, std::string_view key, uint32_t node,
                    Buffer<char> &out) {
    const value::TreeView tree = part.message->tree;
    out.append("\xE2\x80\xA6 ");
    if (tree[node].kind == ACCP_STRING) {
        append_decimal(tree.string(node).size(), out);
        out.append(" bytes: ");
    }
    out.append("$cold.m");
    append_decimal(part.number, out);
    out.push('.');
    out.append(path);
    out.append(key);
}

// The keys need no escapes.
void write_short_arguments(const Part &part, uint32_t arguments, Buffer<char> &out) {
    const value::TreeView tree = part.message->tree;
    uint32_t count = 0;
    out.push('{');
    for (uint32_t i = arguments + 1; i < tree[arguments].next; i = tree[i].next) {
        if (count) out.push(',');
        const bool is_map = tree[arguments].kind == ACCP_MAP;
        const std::string_view key = is_map ? tree.key(i) : std::string_view();
        if (!is_call_name(key) || ++count > kMaxShortMembers) {
            out.append("\"\xE2\x80\xA6\":\"");
            write_left_out(part, "arguments", {}, arguments, out);
            out.push('"');
            break;
        }
        out.push('"');
        out.append(key);
        out.append("\":");
        if (is_short(tree, i)) {
            value::write_json(tree, i, out);
            continue;
        }
        out.push('"');
        write_left_out(part, "arguments.", key, i, out);
        out.push('"');
    }
    out.push('}');
}

}  // namespace

void write_call_words(const Part &part, Buffer<char> &out) {
    const message::Message &act = *part.message;
    const uint32_t thought = act.find("thought");
    if (!part.is_whole && thought && !is_short(act.tree, thought))
        return write_left_out(part, "thought", {}, thought, out);
    if (thought && act.tree[thought].kind == ACCP_STRING) {
        if (out.empty()) out.append(act.tree.string(thought));
        else join_text(act.tree.string(thought), out);
    }
    if (!part.is_whole) return;
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

void write_call_arguments(const Part &part, Buffer<char> &out) {
    const message::Message &act = *part.message;
    const uint32_t arguments = act.find("arguments");
    if (!part.is_whole) return write_short_arguments(part, arguments, out);
    if (act.tree[arguments].kind == ACCP_MAP) return value::write_json(act.tree, arguments, out);
    out.append("{\"input\":");
    value::write_json(act.tree, arguments, out);
    out.push('}');
}

bool is_error_result(const message::Message &result) {
    if (result.intent == "fail") return true;
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
