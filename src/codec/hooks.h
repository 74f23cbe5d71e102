// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hooks of a codec: tools and policy of the host, and access to state for refs, stored values
// and envelopes.
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

// Converts the status that a host function returned. A code of the error model and a negative
// status are kept. Anything else is E9999, because it could be confused with a status of the
// library (dropped, held).
Status check_host_status(accp_status status, const char *refused);

// Looks up a tool by its name, with its arguments as JSON; both may be empty. Returns E4001, E4003,
// or another code of the host.
Status look_up_tool(const CodecHooks &hooks, accp_text name, accp_text arguments);

// Returns E5001, or another code of the host.
Status apply_policy(const CodecHooks &hooks, const accp_policy_case &policy_case);

// The interfaces of the codec to state and envelopes. Sessions implement them, and so do the hooks
// of accp/hooks.h. Their results are checked like the text of a peer.
class RefResolver {
public:
    // Resolves `ref` ("warm.k", without $) to JSON, in which an object {"$ref":"…"} is another ref.
    // The result is a view until the next call or the end of the codec's call. E2001: not found;
    // E2002: expired; E5002: no grant of the other session; negative: the state is not available
    // now.
    virtual Status resolve(std::string_view ref, std::string_view &json) = 0;

    // the last result is untrusted
    bool untrusted = false;

protected:
    ~RefResolver() = default;
};

class ValueKeeper {
public:
    // Stores a value and returns the ref ("warm.k") by which the peer finds it, a view as above. An
    // empty ref means that the value was not stored; it then stays inline. The same value should
    // get the same ref. A value may be stored for a message that is refused later. Fails only with
    // a negative status.
    virtual Status keep(std::string_view json, std::string_view &ref) = 0;

protected:
    ~ValueKeeper() = default;
};

class EnvelopeSource {
public:
    // Called for the second and each later part of a message, in order. `envelope` has the values
    // of the first part; set a new mid and seq. Its texts are views until the next call or the end
    // of the codec's call.
    virtual Status next(accp_envelope &envelope) = 0;

protected:
    ~EnvelopeSource() = default;
};

// Returns whether a ref has several labels and the first is a tier: hot, warm, cold or ctx.
bool has_tier(std::string_view ref);

}  // namespace accp::codec
