// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a host is asked about a message, and what it may refuse: tools, policy.
#pragma once

#include <string_view>

#include "accp/codec.h"
#include "accp/types.h"
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
Status check_host_status(accp_status answer, const char *refused);

// The name of a tool call's tool and its arguments as JSON, both perhaps empty. E4001, E4003, or
// what else of the error model the host answers.
Status look_up_tool(const CodecHooks &hooks, accp_text name, accp_text arguments);

// E5001, or what else of the error model the host answers.
Status apply_policy(const CodecHooks &hooks, const accp_policy_case &asked);

// The codec's two ways to a state, and where the envelopes of a message in parts come from.
// Sessions implement them, and the hooks of accp/hooks.h do. What they answer is checked like
// any peer's text.

class RefResolver {
public:
    // What `ref` ("warm.k", without $) stands for, as JSON in which an object {"$ref":"…"} is a ref
    // in its turn: a view until the resolver is asked again or the codec's call ends. E2001 not
    // there, E2002 expired, E5002 another session's without a grant; negative: the state cannot
    // answer now.
    virtual Status resolve(std::string_view ref, std::string_view &json) = 0;

    // Is what it answered last from an untrusted origin?
    bool untrusted = false;

protected:
    ~RefResolver() = default;
};

class ValueKeeper {
public:
    // The ref ("warm.k") under which the peer will find this value, a view as above; empty where it
    // cannot be: the value then stays inline. The same value should get the same ref. A value may
    // be kept of a message that is refused later. Fails only with what is negative.
    virtual Status keep(std::string_view json, std::string_view &ref) = 0;

protected:
    ~ValueKeeper() = default;
};

class EnvelopeSource {
public:
    // For each part but the first of a message that goes in parts, in order: `envelope` is that of
    // the first part, and comes back with a mid and a seq of its own. Its texts are views until the
    // source is asked again or the codec's call ends.
    virtual Status next(accp_envelope &envelope) = 0;

protected:
    ~EnvelopeSource() = default;
};

// Is the first label of a ref of several labels a tier: hot, warm, cold or ctx?
bool has_tier(std::string_view ref);

}  // namespace accp::codec
