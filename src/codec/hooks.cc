// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "codec/hooks.h"

#include "accp/error.h"
#include "codec/error_message.h"

namespace accp::codec {

Status check_host_status(accp_status status, const char *refused) {
    if (status == ACCP_OK) return {};
    const bool is_known =
        status < 0 ? accp_status_meaning(status)[0] != 0 : is_standard_code(status);
    return is_known ? fail(status, 0, refused)
                    : fail(ACCP_E9999, 0, "a hook of the host returned an unknown status");
}

Status look_up_tool(const CodecHooks &hooks, accp_text name, accp_text arguments) {
    if (!name.len) return fail(ACCP_E4001, 0, "the tool call names no tool");
    const accp_status status =
        hooks.tool(name.text, name.len, arguments.text, arguments.len, hooks.tool_user);
    if (status == ACCP_E4001) return fail(status, 0, "no such tool");
    return check_host_status(status, status == ACCP_E4003 ? "the tool does not take these arguments"
                                                          : "the tool lookup hook refused it");
}

Status apply_policy(const CodecHooks &hooks, const accp_policy_case &policy_case) {
    return check_host_status(hooks.policy(&policy_case, hooks.policy_user),
                             "the policy hook of this side refused it");
}

bool has_tier(std::string_view ref) {
    const std::string_view label = ref.substr(0, ref.find('.'));
    if (label.size() == ref.size()) return false;
    return label == "hot" || label == "warm" || label == "cold" || label == "ctx";
}

}  // namespace accp::codec
