// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads messages of the Messages interface, and lines of Claude Code, which each hold a message or
// a part of one.
#include "transcript/read_state.h"

namespace accp::transcript {

namespace {

constexpr const char *kOpenAiMember =
    "this member is of the interface openai: in anthropic's messages a call is a block tool_use of "
    "the assistant's content, and its result a block tool_result of the user's";
constexpr const char *kOpenAiBlock =
    "this block is of the interface openai: anthropic has text, image, document, tool_use, "
    "tool_result, thinking and others";
constexpr const char *kNoAnthropicContent =
    "a message has `content`: a text, or a list of blocks, which is not empty";

// Checks that a message of this role may contain the block.
Status check_block(value::TreeView tree, uint32_t block, bool is_assistant) {
    if (tree[block].kind == ACCP_STRING) return {};
    if (tree[block].kind != ACCP_MAP) return fail(ACCP_E1001, block, "a block is an object");
    const std::string_view type = text_member(tree, block, "type");
    if (type.empty()) return fail(ACCP_E1001, block, "a block has a type");
    for (std::string_view other : {"image_url", "input_image", "input_audio", "input_file",
                                   "input_text", "output_text", "refusal", "function_call"})
        if (type == other) return fail(ACCP_E1001, block, kOpenAiBlock);
    if (type == "tool_use" && !is_assistant)
        return fail(ACCP_E1001, block,
                    "a block tool_use is only allowed in an assistant's message");
    if (type != "tool_result") return {};
    if (is_assistant)
        return fail(ACCP_E1001, block, "a block tool_result is only allowed in a user's message");
    return text_member(tree, block, "tool_use_id").empty()
               ? fail(ACCP_E1001, block, "a block tool_result has a tool_use_id")
               : Status{};
}

// Checks that an item of a list is a message of this interface. Lines of files are not checked.
Status check_message(value::TreeView tree, uint32_t root) {
    for (std::string_view key : {"tool_calls", "function_call", "tool_call_id"})
        if (const uint32_t node = tree.find(root, key))
            return fail(ACCP_E1001, node, kOpenAiMember);
    const bool is_assistant = text_member(tree, root, "role") == "assistant";
    const uint32_t content = tree.find(root, "content");
    if (!content || tree[content].kind == ACCP_NULL)
        return fail(ACCP_E1001, content ? content : root, kNoAnthropicContent);
    if (tree[content].kind != ACCP_ARRAY) return {};
    if (!tree[content].len && !is_assistant) return fail(ACCP_E1001, content, kNoAnthropicContent);
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        const Status status = check_block(tree, i, is_assistant);
        if (status.failed()) return status;
    }
    return {};
}

Status read_assistant_block(value::TreeView tree, uint32_t block, ReadState &state) {
    const std::string_view type =
        tree[block].kind == ACCP_MAP ? text_member(tree, block, "type") : std::string_view();
    if (type == "tool_use")
        return read_call(tree, block, text_member(tree, block, "name"),
                         text_member(tree, block, "id"), tree.find(block, "input"), state);
    if (type == "thinking") {
        state.turn.add_thinking(text_member(tree, block, "thinking"));
        return {};
    }
    if (std::string_view text; is_one_text(tree, block, text)) {
        state.turn.add_text(text);
        return {};
    }
    state.text.clear();
    const Status status = read_part(tree, block, state, state.text);
    if (status.ok()) state.turn.add_text(state.text.view());
    return status;
}

Status read_tool_result(value::TreeView tree, uint32_t block, ReadState &state) {
    state.result.clear();
    const Status status = read_result(tree, tree.find(block, "content"), state, state.result);
    if (status.failed()) return status;
    add_outcome_of(text_member(tree, block, "tool_use_id"), {}, is_true(tree, block, "is_error"),
                   state);
    return {};
}

Status read_user_block(value::TreeView tree, uint32_t block, ReadState &state) {
    if (tree[block].kind != ACCP_MAP || text_member(tree, block, "type") != "tool_result") {
        std::string_view text;
        if (!state.text.empty() || !is_one_text(tree, block, text))
            return read_part(tree, block, state, state.text);
        state.text.append(text);
        return {};
    }
    state.out.add_request({}, state.text.view());
    state.text.clear();
    return read_tool_result(tree, block, state);
}

Status read_blocks(value::TreeView tree, uint32_t content, bool is_assistant, ReadState &state) {
    auto read = [&](uint32_t block) {
        return is_assistant ? read_assistant_block(tree, block, state)
                            : read_user_block(tree, block, state);
    };
    state.text.clear();
    if (!content || tree[content].kind == ACCP_NULL) return {};
    if (tree[content].kind == ACCP_STRING) return read(content);
    if (tree[content].kind != ACCP_ARRAY)
        return fail(ACCP_E1001, content, "a content is a text, or a list of blocks");
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        const Status status = read(i);
        if (status.failed()) return status;
    }
    return {};
}

// Adds a message. The texts of an assistant stay in the turn.
Status read_message_of(value::TreeView tree, uint32_t root, bool is_strict, ReadState &state) {
    const std::string_view role = text_member(tree, root, "role");
    const uint32_t content = tree.find(root, "content");
    if (role == "assistant") return read_blocks(tree, content, true, state);
    if (role != "user" && role != "system") {
        const uint32_t node = tree.find(root, "role");
        return fail(ACCP_E1001, node ? node : root, "a role is user, assistant or system");
    }
    const Status status = read_blocks(tree, content, false, state);
    if (status.failed()) return status;
    const bool must = is_strict && state.out.is_empty();
    if (role == "user") state.out.add_request({}, state.text.view(), must);
    else state.out.add_system(state.text.view(), must);
    return {};
}

bool is_passed_over(value::TreeView tree, uint32_t root) {
    const std::string_view type = text_member(tree, root, "type");
    return (type != "user" && type != "assistant") || is_true(tree, root, "isSidechain") ||
           is_true(tree, root, "isMeta") || is_true(tree, root, "isApiErrorMessage");
}

std::string_view message_id(value::TreeView tree, uint32_t root) {
    const uint32_t message = tree.find(root, "message");
    return message ? text_member(tree, message, "id") : std::string_view();
}

}  // namespace

Status read_anthropic_item(value::TreeView tree, uint32_t root, ReadState &state) {
    Status status = check_message(tree, root);
    if (status.ok()) status = read_message_of(tree, root, true, state);
    if (status.failed()) return status;
    if (text_member(tree, root, "role") == "assistant") state.turn.keep_if_empty();
    state.turn.end(state.out);
    return {};
}

bool continues_claude_code(value::TreeView tree, uint32_t root, const Turn &turn) {
    if (is_passed_over(tree, root)) return true;
    return text_member(tree, root, "type") == "assistant" && turn.is(message_id(tree, root));
}

Status read_claude_code_line(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t type = tree.find(root, "type");
    if (!type || tree[type].kind != ACCP_STRING)
        return fail(ACCP_E1001, root, "a line of a session has a type");
    take_directory(text_member(tree, root, "cwd"), state);
    if (is_passed_over(tree, root)) return {};
    const uint32_t message = tree.find(root, "message");
    if (!message || tree[message].kind != ACCP_MAP)
        return fail(ACCP_E1001, root, "a line of type user or assistant has an object `message`");
    state.turn.begin(message_id(tree, root));
    return read_message_of(tree, message, false, state);
}

}  // namespace accp::transcript
