// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See write_plan.h: a call, and texts.
#include "base/utf8.h"
#include "transcript/outbox.h"
#include "transcript/write_plan.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

// What of a call has a place of its own; a schema is a codec's.
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

bool says_error(const message::Message &result) {
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
