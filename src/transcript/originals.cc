// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides which messages of a provider are also kept in their original form.
#include "base/text.h"
#include "transcript/read_state.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

constexpr std::string_view kCacheMark = "cache_control";

bool is_absent(value::TreeView tree, uint32_t node) {
    return !node || tree[node].kind == ACCP_NULL ||
           (tree[node].kind == ACCP_ARRAY && !tree[node].len);
}

// Returns whether a map has a member that is not empty and not in `known`.
bool has_others(value::TreeView tree, uint32_t map, std::initializer_list<std::string_view> known) {
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
        if (!is_absent(tree, i) && !is_among(tree.key(i), known)) return true;
    return false;
}

bool is_text_block(value::TreeView tree, uint32_t block) {
    return tree[block].kind == ACCP_MAP && text_member(tree, block, "type") == "text" &&
           !has_others(tree, block, {"type", "text", "cache_control"});
}

// Returns whether a content is a single text, alone or in a list.
bool is_plain_content(value::TreeView tree, uint32_t content) {
    if (is_absent(tree, content) || tree[content].kind == ACCP_STRING) return true;
    return tree[content].kind == ACCP_ARRAY && tree[content].len == 1 &&
           (tree[content + 1].kind == ACCP_STRING || is_text_block(tree, content + 1));
}

bool is_plain_openai_call(value::TreeView tree, uint32_t call, ReadState &state) {
    const uint32_t function = tree.find(call, "function");
    return function && tree[function].kind == ACCP_MAP &&
           !has_others(tree, call, {"id", "type", "function"}) &&
           !has_others(tree, function, {"name", "arguments"}) &&
           !has_own_spelling(text_member(tree, function, "arguments"), state);
}

bool is_plain_anthropic_block(value::TreeView tree, uint32_t block) {
    const std::string_view type = text_member(tree, block, "type");
    if (type == "tool_use")
        return !has_others(tree, block, {"type", "id", "name", "input", "cache_control"});
    if (type == "tool_result")
        return !has_others(tree, block,
                           {"type", "tool_use_id", "content", "is_error", "cache_control"}) &&
               is_plain_content(tree, tree.find(block, "content"));
    return is_text_block(tree, block);
}

void write_without_marks(value::TreeView tree, uint32_t node, Buffer<char> &out) {
    const bool is_map = tree[node].kind == ACCP_MAP;
    out.push(is_map ? '{' : '[');
    bool is_first = true;
    for (uint32_t i = node + 1; i < tree[node].next; i = tree[i].next) {
        if (is_map && tree.key(i) == kCacheMark) continue;
        if (!is_first) out.push(',');
        is_first = false;
        if (is_map) {
            value::write_json_string(tree.key(i), out);
            out.push(':');
        }
        // the blocks of a content, and of a result inside it
        const bool has_blocks = is_map ? tree.key(i) == "content" && tree[i].kind == ACCP_ARRAY
                                       : tree[i].kind == ACCP_MAP;
        if (has_blocks) write_without_marks(tree, i, out);
        else value::write_json(tree, i, out);
    }
    out.push(is_map ? '}' : ']');
}

}  // namespace

bool has_more_openai(value::TreeView tree, uint32_t root, ReadState &state) {
    const std::string_view role = text_member(tree, root, "role");
    // an item of the Responses interface: it is written as a message
    if (role.empty() || !text_member(tree, root, "type").empty()) return false;
    if (role == "assistant") {
        const uint32_t old = tree.find(root, "function_call");
        if (!is_absent(tree, old)) return false;  // is converted to a tool call
        if (has_others(tree, root, {"role", "content", "tool_calls"})) return true;
        const uint32_t calls = tree.find(root, "tool_calls");
        for (uint32_t i = calls + 1; calls && i < tree[calls].next; i = tree[i].next)
            if (!is_plain_openai_call(tree, i, state)) return true;
    } else if (role == "tool") {
        if (has_others(tree, root, {"role", "content", "tool_call_id", "name"})) return true;
    } else if (role == "user") {
        if (has_others(tree, root, {"role", "content", "name"})) return true;
    } else if (role == "system") {
        if (has_others(tree, root, {"role", "content"})) return true;
    } else if (role == "function") {
        return false;
    } else {
        return true;  // developer
    }
    const uint32_t content = tree.find(root, "content");
    if (is_plain_content(tree, content)) return false;
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        const std::string_view type =
            tree[i].kind == ACCP_MAP ? text_member(tree, i, "type") : std::string_view();
        if (type.starts_with("input_") && type != "input_audio") return false;
        if (type == "output_text") return false;
    }
    return true;
}

bool has_more_anthropic(value::TreeView tree, uint32_t root) {
    if (has_others(tree, root, {"role", "content"})) return true;
    const uint32_t content = tree.find(root, "content");
    if (!content || tree[content].kind != ACCP_ARRAY) return false;
    // a plain message has at most one text, before its calls and after its results
    bool has_text = false, has_call = false;
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP || !is_plain_anthropic_block(tree, i)) return true;
        const std::string_view type = text_member(tree, i, "type");
        if (type == "text" ? has_text || has_call : type == "tool_result" && has_text) return true;
        has_text = has_text || type == "text";
        has_call = has_call || type == "tool_use";
    }
    return false;
}

void write_kept(value::TreeView tree, uint32_t root, Buffer<char> &out) {
    write_without_marks(tree, root, out);
}

}  // namespace accp::transcript
