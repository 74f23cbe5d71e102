// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the parts of a .traj file.
#include "base/bytes.h"
#include "transcript/read_state.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxCommandName = 64;  // bytes

// Returns the first word of a command as the name of a tool.
std::string_view command_name(std::string_view action) {
    const size_t begin = action.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    size_t len = 0;
    for (char c : action.substr(begin, kMaxCommandName)) {
        if (!is_agent(static_cast<unsigned char>(c)) && c != '.' && c != '/') break;
        ++len;
    }
    return len ? action.substr(begin, len) : "shell";
}

// Builds {"command":action} as a tree.
void make_command(std::string_view action, value::Value &out) {
    out.clear();
    const uint32_t map = out.open(ACCP_MAP);
    out.add_key("command");
    out.add_scalar(ACCP_STRING, 0, action);
    out.close(map, 1);
}

void read_action(std::string_view action, ReadState &state) {
    make_command(action, state.arguments);
    Call call;
    call.name = command_name(action);
    call.tree = state.arguments.view();
    call.is_map = true;
    state.turn.add_call(call);
}

}  // namespace

Status read_history_item(value::TreeView tree, uint32_t root, ReadState &state) {
    const std::string_view role = text_member(tree, root, "role");
    if ((role != "system" && role != "user") || is_true(tree, root, "is_demo")) return {};
    state.text.clear();
    const Status status = read_content(tree, tree.find(root, "content"), state, state.text);
    if (status.failed()) return status;
    state.is_first_request = role == "user";
    if (role == "user") state.out.add_request({}, state.text.view());
    else state.out.add_system(state.text.view());
    return {};
}

Status read_step(value::TreeView tree, uint32_t root, ReadState &state) {
    const uint32_t thought = tree.find(root, "thought");
    state.text.clear();
    Status status = read_content(
        tree, thought && tree[thought].kind != ACCP_NULL ? thought : tree.find(root, "response"),
        state, state.text);
    if (status.failed()) return status;
    state.turn.add_text(state.text.view());
    const std::string_view action = text_member(tree, root, "action");
    const bool acts = has_words(action);
    if (acts) read_action(action, state);
    state.turn.end(state.out);
    const uint32_t observation = tree.find(root, "observation");
    state.result.clear();
    status = read_result(tree, observation, state, state.result);
    if (status.failed()) return status;
    const bool has_outcome = observation && tree[observation].kind != ACCP_NULL;
    if (has_outcome && (acts || has_words(state.result.view())))
        add_outcome_of({}, acts ? command_name(action) : std::string_view(), false, state);
    return {};
}

}  // namespace accp::transcript
