// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See read_work.h: the parts of a .traj file.
#include "base/bytes.h"
#include "transcript/read_work.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxCommandName = 64;  // bytes

// What a command begins with, as the name of a tool.
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

// {"command":action}, as a tree.
void make_command(std::string_view action, value::Value &out) {
    out.clear();
    const uint32_t map = out.open(ACCP_MAP);
    out.add_key("command");
    out.add_scalar(ACCP_STRING, 0, action);
    out.close(map, 1);
}

void read_action(std::string_view action, ReadWork &work) {
    make_command(action, work.arguments);
    Call call;
    call.name = command_name(action);
    call.tree = work.arguments.view();
    call.is_map = true;
    work.turn.add_call(call);
}

}  // namespace

Status read_history_item(value::TreeView tree, uint32_t root, ReadWork &work) {
    const std::string_view role = text_member(tree, root, "role");
    if ((role != "system" && role != "user") || is_true(tree, root, "is_demo")) return {};
    work.text.clear();
    const Status status = read_content(tree, tree.find(root, "content"), work, work.text);
    if (status.failed()) return status;
    work.is_first_request = role == "user";
    if (role == "user") work.out.add_request({}, work.text.view());
    else work.out.add_guide(work.text.view());
    return {};
}

Status read_step(value::TreeView tree, uint32_t root, ReadWork &work) {
    const uint32_t thought = tree.find(root, "thought");
    work.text.clear();
    Status status = read_content(
        tree, thought && tree[thought].kind != ACCP_NULL ? thought : tree.find(root, "response"),
        work, work.text);
    if (status.failed()) return status;
    work.turn.add_text(work.text.view());
    const std::string_view action = text_member(tree, root, "action");
    const bool acts = has_words(action);
    if (acts) read_action(action, work);
    work.turn.end(work.out);
    const uint32_t observation = tree.find(root, "observation");
    work.result.clear();
    status = read_result(tree, observation, work, work.result);
    if (status.failed()) return status;
    const bool has_outcome = observation && tree[observation].kind != ACCP_NULL;
    if (has_outcome && (acts || has_words(work.result.view())))
        end_outcome({}, acts ? command_name(action) : std::string_view(), false, work);
    return {};
}

}  // namespace accp::transcript
