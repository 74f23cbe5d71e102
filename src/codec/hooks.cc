// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hooks.h.
#include "codec/hooks.h"

#include "profile/error_report.h"

namespace accp {

namespace {

Status read_answer(accp_status answer, const char *refused) {
    if (answer == ACCP_OK) return {};
    return is_standard_code(answer) ? fail(answer, 0, refused) : fail(ACCP_E9999, 0, "the host's hook answered no code of the error model");
}

}  // namespace

Status ask_tool(const CodecHooks &hooks, accp_text name, accp_text arguments) {
    if (!name.len) return fail(ACCP_E4001, 0, "a tool call that names no tool");
    const accp_status answer = hooks.tool(name.text, name.len, arguments.text, arguments.len, hooks.tool_user);
    if (answer == ACCP_E4001) return fail(answer, 0, "no such tool");
    return read_answer(answer, answer == ACCP_E4003 ? "the tool does not take these arguments" : "the tool lookup refuses it");
}

Status ask_policy(const CodecHooks &hooks, const accp_policy_case &asked) {
    return read_answer(hooks.policy(&asked, hooks.policy_user), "a policy of this side forbids it");
}

}  // namespace accp
