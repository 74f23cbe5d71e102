// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See read_work.h: messages of chat completions, and items of the Responses interface.
#include "transcript/read_work.h"

namespace accp::transcript {

namespace {

Status add_texts(value::TreeView tree, uint32_t node, bool is_thinking, ReadWork &work) {
    work.text.clear();
    const Status status = read_content(tree, node, work, work.text);
    if (status.failed()) return status;
    if (is_thinking) work.turn.add_thinking(work.text.view());
    else work.turn.add_text(work.text.view());
    return {};
}

// {"id","function":{"name","arguments"}}, or {"id","custom":{"name","input"}}.
Status read_tool_call(value::TreeView tree, uint32_t call, ReadWork &work) {
    if (tree[call].kind != ACCP_MAP) return fail(ACCP_E1001, call, "a call is an object");
    const std::string_view id = text_member(tree, call, "id");
    for (std::string_view kind : {"function", "custom"}) {
        const uint32_t inner = tree.find(call, kind);
        if (!inner || tree[inner].kind != ACCP_MAP) continue;
        return read_call(tree, inner, text_member(tree, inner, "name"), id,
                         tree.find(inner, kind == "custom" ? "input" : "arguments"), work);
    }
    return fail(ACCP_E1001, call, "a call has an object `function` or `custom`");
}

Status read_tool_calls(value::TreeView tree, uint32_t root, ReadWork &work) {
    const uint32_t old = tree.find(root, "function_call");
    if (old && tree[old].kind == ACCP_MAP) {
        const Status status = read_call(tree, old, text_member(tree, old, "name"), {},
                                        tree.find(old, "arguments"), work);
        if (status.failed()) return status;
    }
    const uint32_t calls = tree.find(root, "tool_calls");
    if (!calls || tree[calls].kind == ACCP_NULL) return {};
    if (tree[calls].kind != ACCP_ARRAY) return fail(ACCP_E1001, calls, "tool_calls is a list");
    for (uint32_t i = calls + 1; i < tree[calls].next; i = tree[i].next) {
        const Status status = read_tool_call(tree, i, work);
        if (status.failed()) return status;
    }
    return {};
}

Status read_assistant(value::TreeView tree, uint32_t root, ReadWork &work) {
    for (std::string_view key : {"reasoning_content", "reasoning"})
        work.turn.add_thinking(text_member(tree, root, key));
    const Status status = add_texts(tree, tree.find(root, "content"), false, work);
    if (status.failed()) return status;
    work.turn.add_text(text_member(tree, root, "refusal"));
    if (const uint32_t audio = tree.find(root, "audio"))
        work.turn.add_text(text_member(tree, audio, "transcript"));
    return read_tool_calls(tree, root, work);
}

Status read_answer(value::TreeView tree, uint32_t root, std::string_view id_key,
                   std::string_view key, ReadWork &work) {
    work.result.clear();
    const Status status = read_result(tree, tree.find(root, key), work, work.result);
    if (status.failed()) return status;
    end_outcome(text_member(tree, root, id_key), text_member(tree, root, "name"), false, work);
    return {};
}

Status read_role(value::TreeView tree, uint32_t root, uint32_t node, ReadWork &work) {
    const std::string_view role = tree.string(node);
    if (role == "assistant") {
        const Status status = read_assistant(tree, root, work);
        if (status.ok() && text_member(tree, root, "type") != "message") work.turn.end(work.out);
        return status;
    }
    if (role == "tool" || role == "function")
        return read_answer(tree, root, "tool_call_id", "content", work);
    const bool is_guide = role == "system" || role == "developer";
    if (!is_guide && role != "user")
        return fail(ACCP_E1001, node,
                    "a role is system, developer, user, assistant, tool or function");
    work.text.clear();
    const Status status = read_content(tree, tree.find(root, "content"), work, work.text);
    if (status.failed()) return status;
    work.name.clear();
    write_agent(text_member(tree, root, "name"), work.name);
    if (is_guide) work.out.add_guide(work.text.view());
    else work.out.add_request(work.name.view(), work.text.view());
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

Status read_openai_item(value::TreeView tree, uint32_t root, ReadWork &work) {
    const uint32_t role = tree.find(root, "role");
    if (role && tree[role].kind == ACCP_STRING) return read_role(tree, root, role, work);
    const std::string_view type = text_member(tree, root, "type");
    if (type == "function_call" || type == "custom_tool_call")
        return read_call(tree, root, text_member(tree, root, "name"),
                         text_member(tree, root, "call_id"),
                         tree.find(root, type == "function_call" ? "arguments" : "input"), work);
    if (type == "function_call_output" || type == "custom_tool_call_output")
        return read_answer(tree, root, "call_id", "output", work);
    if (type != "reasoning")
        return fail(ACCP_E1001, root,
                    "an item has a role, or is a message, function_call, custom_tool_call, "
                    "function_call_output, custom_tool_call_output or reasoning");
    const Status status = add_texts(tree, tree.find(root, "summary"), true, work);
    return status.failed() ? status : add_texts(tree, tree.find(root, "content"), true, work);
}

}  // namespace accp::transcript
