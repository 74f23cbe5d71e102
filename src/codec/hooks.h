// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a host is asked about a message, and what it may refuse: tools, policy.
#pragma once

#include <string_view>

#include "accp/codec.h"
#include "base/status.h"
#include "base/text.h"

namespace accp::codec {

struct CodecHooks {
    accp_tool_function tool = nullptr;
    void *tool_user = nullptr;
    accp_policy_function policy = nullptr;
    void *policy_user = nullptr;
    uint32_t strict = 0;  // bits of accp_strictness

    bool is_strict(uint32_t which) const { return (strict & which) != 0; }
};

// What a call becomes of what a function of the host answers, each and every one: a code of the
// error model or a negative status is the call's; anything else, which would be taken for an answer
// of the library's own (dropped, held), is E9999.
Status host_answer(accp_status answer, const char *refused);

// The name of a tool call's tool and its arguments as JSON, both perhaps empty. E4001, E4003, or
// what else of the error model the host answers.
Status ask_tool(const CodecHooks &hooks, accp_text name, accp_text arguments);

// E5001, or what else of the error model the host answers.
Status ask_policy(const CodecHooks &hooks, const accp_policy_case &asked);

}  // namespace accp::codec
