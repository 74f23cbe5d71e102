// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the files in which coding agents keep their conversations: rollouts of Codex, sessions of
// opencode as `opencode export` prints them, session files of pi, and chats of Gemini CLI.
#include "transcript/read_state.h"

namespace accp::transcript {

namespace {

// The beginning of the note that Gemini CLI puts before a chat, today and in older versions.
constexpr std::string_view kGeminiNote = "<session_context>",
                           kOldGeminiNote = "This is the Gemini CLI.";

// Returns whether a part of a user's message in a rollout was written by Codex itself: notes about
// the project and the machine. Newer versions name the kind of each part, older ones have a tag.
bool is_written_by_codex(value::TreeView tree, uint32_t payload) {
    const uint32_t about = tree.find(payload, "internal_chat_message_metadata_passthrough");
    const uint32_t kinds =
        about && tree[about].kind == ACCP_MAP ? tree.find(about, "content_item_kinds") : 0;
    if (kinds && tree[kinds].kind == ACCP_ARRAY && tree[kinds].len) {
        for (uint32_t i = kinds + 1; i < tree[kinds].next; i = tree[i].next)
            if (tree[i].kind == ACCP_STRING && tree.string(i).starts_with("user.")) return false;
        return true;
    }
    const uint32_t content = tree.find(payload, "content");
    std::string_view text;
    if (!content || !is_one_text(tree, content, text)) return false;
    for (std::string_view mark :
         {"<environment_context>", "<user_instructions>", "<permissions instructions>",
          "<turn_aborted>", "<user_shell_command>", "<subagent_notification>", "<skill>",
          "# AGENTS.md instructions"})
        if (text.starts_with(mark)) return true;
    return false;
}

// Returns the item of a line that counts, or 0. Lines of type event_msg repeat items for displays.
uint32_t codex_item(value::TreeView tree, uint32_t root) {
    const uint32_t payload = tree.find(root, "payload");
    if (text_member(tree, root, "type") != "response_item" || !payload ||
        tree[payload].kind != ACCP_MAP)
        return 0;
    const std::string_view type = text_member(tree, payload, "type");
    if (type != "message") {
        for (std::string_view known :
             {"function_call", "custom_tool_call", "local_shell_call", "function_call_output",
              "custom_tool_call_output", "reasoning"})
            if (type == known) return payload;
        return 0;
    }
    const std::string_view role = text_member(tree, payload, "role");
    if (role == "assistant") return payload;
    return role == "user" && !is_written_by_codex(tree, payload) ? payload : 0;
}

Status read_request_text(value::TreeView tree, uint32_t content, ReadState &state) {
    state.text.clear();
    const Status status = read_content(tree, content, state, state.text);
    if (status.ok()) state.out.add_request({}, state.text.view());
    return status;
}

// Parts of a message of opencode that are neither shown nor sent have this mark.
bool is_left_out(value::TreeView tree, uint32_t part) { return is_true(tree, part, "ignored"); }

Status read_opencode_user(value::TreeView tree, uint32_t parts, ReadState &state) {
    state.text.clear();
    for (uint32_t i = parts + 1; i < tree[parts].next; i = tree[i].next) {
        if (text_member(tree, i, "type") != "text" || is_left_out(tree, i) ||
            is_true(tree, i, "synthetic"))
            continue;
        const Status status = read_part(tree, i, state, state.text);
        if (status.failed()) return status;
    }
    state.out.add_request({}, state.text.view());
    return {};
}

Status read_opencode_call(value::TreeView tree, uint32_t part, ReadState &state) {
    const uint32_t run = tree.find(part, "state");
    const bool has_run = run && tree[run].kind == ACCP_MAP;
    return read_call(tree, part, text_member(tree, part, "tool"), text_member(tree, part, "callID"),
                     has_run ? tree.find(run, "input") : 0, state);
}

// A part has the call of a tool and, once it has ended, its result.
Status read_opencode_result(value::TreeView tree, uint32_t part, ReadState &state) {
    const uint32_t run = tree.find(part, "state");
    if (!run || tree[run].kind != ACCP_MAP) return {};
    const std::string_view status = text_member(tree, run, "status");
    const bool is_error = status == "error";
    if (!is_error && status != "completed") return {};
    state.result.clear();
    const Status read =
        read_result(tree, tree.find(run, is_error ? "error" : "output"), state, state.result);
    if (read.failed()) return read;
    add_outcome_of(text_member(tree, part, "callID"), text_member(tree, part, "tool"), is_error,
                   state);
    return {};
}

Status read_opencode_assistant(value::TreeView tree, uint32_t parts, ReadState &state) {
    for (uint32_t i = parts + 1; i < tree[parts].next; i = tree[i].next) {
        const std::string_view type = text_member(tree, i, "type");
        if (is_left_out(tree, i)) continue;
        if (type == "text") state.turn.add_text(text_member(tree, i, "text"));
        if (type == "reasoning") state.turn.add_thinking(text_member(tree, i, "text"));
        if (type != "tool") continue;
        const Status status = read_opencode_call(tree, i, state);
        if (status.failed()) return status;
    }
    state.turn.end(state.out);
    for (uint32_t i = parts + 1; i < tree[parts].next; i = tree[i].next) {
        if (text_member(tree, i, "type") != "tool") continue;
        const Status status = read_opencode_result(tree, i, state);
        if (status.failed()) return status;
    }
    return {};
}

Status read_pi_assistant(value::TreeView tree, uint32_t content, ReadState &state) {
    if (content && tree[content].kind == ACCP_ARRAY)
        for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
            if (tree[i].kind != ACCP_MAP) continue;
            const std::string_view type = text_member(tree, i, "type");
            if (type == "text") state.turn.add_text(text_member(tree, i, "text"));
            if (type == "thinking") state.turn.add_thinking(text_member(tree, i, "thinking"));
            if (type != "toolCall") continue;
            const Status status =
                read_call(tree, i, text_member(tree, i, "name"), text_member(tree, i, "id"),
                          tree.find(i, "arguments"), state);
            if (status.failed()) return status;
        }
    state.turn.end(state.out);
    return {};
}

// The message of a user, without the results of tools, which are in `toolCalls` before it too, and
// without the note that Gemini CLI puts before a chat.
Status read_gemini_user(value::TreeView tree, uint32_t content, ReadState &state) {
    if (content && tree[content].kind == ACCP_ARRAY)
        for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next)
            if (tree[i].kind == ACCP_MAP && tree.find(i, "functionResponse")) return {};
    if (std::string_view text;
        content && is_one_text(tree, content, text) && text.starts_with(kGeminiNote))
        return {};
    return read_request_text(tree, content, state);
}

// The note that Gemini CLI puts before a chat is in a message or in a line {"$set":…}. It names the
// directory, or a list of directories of which that is the first.
void find_gemini_directory(value::TreeView tree, uint32_t root, ReadState &state) {
    constexpr std::string_view kMarks[] = {"- **Workspace Directories:**\n  - ",
                                           "I'm currently working in the directory: "};
    for (uint32_t i = root; i < tree[root].next; ++i) {
        if (tree[i].kind != ACCP_STRING) continue;
        const std::string_view text = tree.string(i);
        if (!text.starts_with(kGeminiNote) && !text.starts_with(kOldGeminiNote)) continue;
        for (const std::string_view mark : kMarks) {
            const size_t at = text.find(mark);
            if (at == text.npos) continue;
            const std::string_view rest = text.substr(at + mark.size());
            take_directory(rest.substr(0, rest.find_first_of("\r\n")), state);
        }
    }
}

Status read_gemini_thoughts(value::TreeView tree, uint32_t thoughts, ReadState &state) {
    if (!thoughts || tree[thoughts].kind != ACCP_ARRAY) return {};
    for (uint32_t i = thoughts + 1; i < tree[thoughts].next; i = tree[i].next)
        if (tree[i].kind == ACCP_MAP) state.turn.add_thinking(text_member(tree, i, "description"));
    return {};
}

// The result of a call is a list of parts {"functionResponse":{"response":{"output" or "error"}}}.
Status read_gemini_result(value::TreeView tree, uint32_t call, ReadState &state) {
    state.result.clear();
    const uint32_t parts = tree.find(call, "result");
    if (!parts || tree[parts].kind != ACCP_ARRAY) return {};
    for (uint32_t i = parts + 1; i < tree[parts].next; i = tree[i].next) {
        const uint32_t part = tree[i].kind == ACCP_MAP ? tree.find(i, "functionResponse") : 0;
        const uint32_t response =
            part && tree[part].kind == ACCP_MAP ? tree.find(part, "response") : 0;
        if (!response || tree[response].kind != ACCP_MAP) continue;
        for (std::string_view name : {"output", "error"}) {
            const Status status = read_result(tree, tree.find(response, name), state, state.result);
            if (status.failed()) return status;
        }
    }
    add_outcome_of(text_member(tree, call, "id"), text_member(tree, call, "name"),
                   text_member(tree, call, "status") == "error", state);
    return {};
}

// A message has a line when it is written, and further ones when it changes: the calls that it
// made are in the second.
Status read_gemini_model(value::TreeView tree, uint32_t root, ReadState &state) {
    const std::string_view id = text_member(tree, root, "id");
    if (!id.empty() && state.finished_id.view() == id) return {};
    if (!state.turn.is(id)) {
        state.text.clear();
        Status status = read_content(tree, tree.find(root, "content"), state, state.text);
        if (status.failed()) return status;
        status = read_gemini_thoughts(tree, tree.find(root, "thoughts"), state);
        if (status.failed()) return status;
        state.turn.begin(id);
        state.turn.add_text(state.text.view());
    }
    const uint32_t calls = tree.find(root, "toolCalls");
    if (!calls || tree[calls].kind != ACCP_ARRAY || !tree[calls].len) return {};
    for (uint32_t i = calls + 1; i < tree[calls].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP) return fail(ACCP_E1001, i, "a call is an object");
        const Status status = read_call(tree, i, text_member(tree, i, "name"),
                                        text_member(tree, i, "id"), tree.find(i, "args"), state);
        if (status.failed()) return status;
    }
    state.turn.end(state.out);
    state.finished_id.assign(id);
    for (uint32_t i = calls + 1; i < tree[calls].next; i = tree[i].next) {
        const Status status = read_gemini_result(tree, i, state);
        if (status.failed()) return status;
    }
    return {};
}

}  // namespace

bool continues_codex(value::TreeView tree, uint32_t root, const Turn &turn) {
    const uint32_t item = codex_item(tree, root);
    return item == 0 || text_member(tree, item, "type") == "local_shell_call" ||
           continues_openai(tree, item, turn);
}

Status read_codex_line(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t type = tree.find(root, "type");
    if (!type || tree[type].kind != ACCP_STRING)
        return fail(ACCP_E1001, root, "a line of a rollout has a type");
    take_directory(text_member_of(tree, root, "payload", "cwd"), state);
    const uint32_t item = codex_item(tree, root);
    if (!item) return {};
    if (text_member(tree, item, "role") == "user")
        return read_request_text(tree, tree.find(item, "content"), state);
    if (text_member(tree, item, "type") == "local_shell_call")
        return read_call(tree, item, "shell", text_member(tree, item, "call_id"),
                         tree.find(item, "action"), state);
    return read_openai_item(tree, item, state);
}

Status read_opencode_message(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t info = tree.find(root, "info"), parts = tree.find(root, "parts");
    if (!info || tree[info].kind != ACCP_MAP || !parts || tree[parts].kind != ACCP_ARRAY)
        return fail(ACCP_E1001, root, "a message of opencode has an object `info` and `parts`");
    for (uint32_t i = parts + 1; i < tree[parts].next; i = tree[i].next)
        if (tree[i].kind != ACCP_MAP) return fail(ACCP_E1001, i, "a part is an object");
    take_directory(text_member_of(tree, info, "path", "cwd"), state);
    const std::string_view role = text_member(tree, info, "role");
    if (role == "user") return read_opencode_user(tree, parts, state);
    // A summary repeats the messages before it.
    if (role != "assistant" || is_true(tree, info, "summary")) return {};
    return read_opencode_assistant(tree, parts, state);
}

Status read_pi_line(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t type = tree.find(root, "type");
    if (!type || tree[type].kind != ACCP_STRING)
        return fail(ACCP_E1001, root, "a line of a session has a type");
    take_directory(text_member(tree, root, "cwd"), state);
    if (tree.string(type) != "message") return {};
    const uint32_t message = tree.find(root, "message");
    if (!message || tree[message].kind != ACCP_MAP)
        return fail(ACCP_E1001, root, "a line of type message has an object `message`");
    const std::string_view role = text_member(tree, message, "role");
    const uint32_t content = tree.find(message, "content");
    if (role == "user") return read_request_text(tree, content, state);
    if (role == "assistant") return read_pi_assistant(tree, content, state);
    if (role != "toolResult") return {};
    state.result.clear();
    const Status status = read_result(tree, content, state, state.result);
    if (status.failed()) return status;
    add_outcome_of(text_member(tree, message, "toolCallId"), text_member(tree, message, "toolName"),
                   is_true(tree, message, "isError"), state);
    return {};
}

bool continues_gemini(value::TreeView tree, uint32_t root, const ReadState &state) {
    const std::string_view type = text_member(tree, root, "type");
    return type == "gemini" ? state.turn.is(text_member(tree, root, "id")) : type != "user";
}

// Lines {"$set":…} repeat the messages before them.
Status read_gemini_line(value::TreeView tree, uint32_t root, ReadState &state) {
    const std::string_view type = text_member(tree, root, "type");
    if (type == "gemini") return read_gemini_model(tree, root, state);
    if (state.directory.empty()) find_gemini_directory(tree, root, state);
    if (type != "user") return {};
    return read_gemini_user(tree, tree.find(root, "content"), state);
}

}  // namespace accp::transcript
