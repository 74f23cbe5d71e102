// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads messages of chat completions, and items of the Responses interface.
#include "transcript/read_state.h"

namespace accp::transcript {

namespace {

constexpr const char *kAnthropicPart =
    "this part is of the interface anthropic: in openai's messages a call is in tool_calls of the "
    "assistant, and its result in a message with the role tool";
constexpr const char *kNoContent =
    "a message has `content`: a text, or a list of parts, which is not empty";
constexpr const char *kEmptyAssistant =
    "a message of an assistant has at least one of content, tool_calls, refusal, audio";

// Checks that a message has a content with valid parts for OpenAI.
Status check_content(value::TreeView tree, uint32_t root) {
    const uint32_t content = tree.find(root, "content");
    if (!content || tree[content].kind == ACCP_NULL)
        return fail(ACCP_E1001, content ? content : root, kNoContent);
    if (tree[content].kind != ACCP_ARRAY) return {};
    if (!tree[content].len) return fail(ACCP_E1001, content, kNoContent);
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP) continue;
        const std::string_view type = text_member(tree, i, "type");
        if (type == "tool_use" || type == "tool_result") return fail(ACCP_E1001, i, kAnthropicPart);
        if (type.empty() && !tree.find(i, "text"))
            return fail(ACCP_E1001, i, "a part of a content has a type");
    }
    return {};
}

bool has_member(value::TreeView tree, uint32_t root, std::string_view key) {
    const uint32_t node = tree.find(root, key);
    return node && tree[node].kind != ACCP_NULL &&
           (tree[node].kind != ACCP_ARRAY || tree[node].len);
}

// The content of an assistant may be missing if the message has another member with content.
Status check_assistant(value::TreeView tree, uint32_t root) {
    bool has_other_content = false;
    for (std::string_view key : {"tool_calls", "function_call", "refusal", "audio",
                                 "reasoning_content", "reasoning", "reasoning_details"})
        has_other_content = has_other_content || has_member(tree, root, key);
    const uint32_t content = tree.find(root, "content");
    const bool is_empty = !content || tree[content].kind == ACCP_NULL ||
                          (tree[content].kind == ACCP_ARRAY && !tree[content].len);
    if (is_empty) return has_other_content ? Status{} : fail(ACCP_E1001, root, kEmptyAssistant);
    return check_content(tree, root);
}

Status add_texts(value::TreeView tree, uint32_t node, bool is_thinking, ReadState &state) {
    state.text.clear();
    const Status status = read_content(tree, node, state, state.text);
    if (status.failed()) return status;
    if (is_thinking) state.turn.add_thinking(state.text.view());
    else state.turn.add_text(state.text.view());
    return {};
}

// {"id","function":{"name","arguments"}}, or {"id","custom":{"name","input"}}.
Status read_tool_call(value::TreeView tree, uint32_t call, ReadState &state) {
    if (tree[call].kind != ACCP_MAP) return fail(ACCP_E1001, call, "a call is an object");
    const std::string_view id = text_member(tree, call, "id");
    for (std::string_view kind : {"function", "custom"}) {
        const uint32_t inner = tree.find(call, kind);
        if (!inner || tree[inner].kind != ACCP_MAP) continue;
        return read_call(tree, inner, text_member(tree, inner, "name"), id,
                         tree.find(inner, kind == "custom" ? "input" : "arguments"), state);
    }
    return fail(ACCP_E1001, call, "a call has an object `function` or `custom`");
}

Status read_tool_calls(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t old = tree.find(root, "function_call");
    if (old && tree[old].kind == ACCP_MAP) {
        const Status status = read_call(tree, old, text_member(tree, old, "name"), {},
                                        tree.find(old, "arguments"), state);
        if (status.failed()) return status;
    }
    const uint32_t calls = tree.find(root, "tool_calls");
    if (!calls || tree[calls].kind == ACCP_NULL) return {};
    if (tree[calls].kind != ACCP_ARRAY) return fail(ACCP_E1001, calls, "tool_calls is a list");
    for (uint32_t i = calls + 1; i < tree[calls].next; i = tree[i].next) {
        const Status status = read_tool_call(tree, i, state);
        if (status.failed()) return status;
    }
    return {};
}

Status read_assistant(value::TreeView tree, uint32_t root, ReadState &state) {
    Status status = check_assistant(tree, root);
    if (status.failed()) return status;
    for (std::string_view key : {"reasoning_content", "reasoning"})
        state.turn.add_thinking(text_member(tree, root, key));
    status = add_texts(tree, tree.find(root, "content"), false, state);
    if (status.failed()) return status;
    state.turn.add_text(text_member(tree, root, "refusal"));
    if (const uint32_t audio = tree.find(root, "audio"))
        state.turn.add_text(text_member(tree, audio, "transcript"));
    return read_tool_calls(tree, root, state);
}

Status read_answer(value::TreeView tree, uint32_t root, std::string_view id_key,
                   std::string_view key, ReadState &state) {
    state.result.clear();
    const Status status = read_result(tree, tree.find(root, key), state, state.result);
    if (status.failed()) return status;
    add_outcome_of(text_member(tree, root, id_key), text_member(tree, root, "name"), false, state);
    return {};
}

Status read_role(value::TreeView tree, uint32_t root, uint32_t node, ReadState &state) {
    const std::string_view role = tree.string(node);
    if (role == "assistant") {
        const Status status = read_assistant(tree, root, state);
        if (status.failed() || text_member(tree, root, "type") == "message") return status;
        state.turn.keep_if_empty();
        state.turn.end(state.out);
        return {};
    }
    const bool is_guide = role == "system" || role == "developer",
               is_result = role == "tool" || role == "function";
    if (!is_guide && !is_result && role != "user")
        return fail(ACCP_E1001, node,
                    "a role is system, developer, user, assistant, tool or function");
    Status status = check_content(tree, root);
    if (status.failed()) return status;
    if (is_result) return read_answer(tree, root, "tool_call_id", "content", state);
    state.text.clear();
    status = read_content(tree, tree.find(root, "content"), state, state.text);
    if (status.failed()) return status;
    state.name.clear();
    write_agent(text_member(tree, root, "name"), state.name);
    if (is_guide) state.out.add_system(state.text.view(), true);
    else state.out.add_request(state.name.view(), state.text.view(), true);
    return {};
}

}  // namespace

bool continues_openai(value::TreeView tree, uint32_t root, const Turn &turn) {
    const std::string_view type = text_member(tree, root, "type");
    if (type == "function_call" || type == "custom_tool_call") return true;
    if (type == "reasoning") return !turn.has_calls() && !turn.has_text();
    return type == "message" && text_member(tree, root, "role") == "assistant" &&
           !turn.has_calls() && !turn.has_text();
}

Status read_openai_item(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t role = tree.find(root, "role");
    if (role && tree[role].kind == ACCP_STRING) return read_role(tree, root, role, state);
    const std::string_view type = text_member(tree, root, "type");
    if (type == "function_call" || type == "custom_tool_call")
        return read_call(tree, root, text_member(tree, root, "name"),
                         text_member(tree, root, "call_id"),
                         tree.find(root, type == "function_call" ? "arguments" : "input"), state);
    if (type == "function_call_output" || type == "custom_tool_call_output")
        return read_answer(tree, root, "call_id", "output", state);
    if (type != "reasoning")
        return fail(ACCP_E1001, root,
                    "an item has a role, or is a message, function_call, custom_tool_call, "
                    "function_call_output, custom_tool_call_output or reasoning");
    const Status status = add_texts(tree, tree.find(root, "summary"), true, state);
    return status.failed() ? status : add_texts(tree, tree.find(root, "content"), true, state);
}

}  // namespace accp::transcript
