// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A request of A2A from JSON-RPC, in either version, and the message in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/a2a/types.h"
#include "server/http/json_rpc.h"

namespace server {

enum class A2aMethod { kSend, kStream, kGet, kList, kCancel, kSubscribe, kPush, kCard };

struct A2aRequest {
    A2aMethod method;
    A2aVersion version;
    std::string id;      // of JSON-RPC, as JSON
    std::string params;  // compact JSON; an object

    // Returns a text of the params; empty if it is missing. Throws A2aRefusal if it is not a text.
    std::string text(std::string_view name) const;
    // Returns a number from 0, or none if it is missing. Throws A2aRefusal if it is not a number.
    std::optional<uint64_t> number(std::string_view name) const;
    // The form of the reply.
    A2aShape shape() const;
};

// Uses the header A2A-Version and the method's name. Throws A2aRefusal.
A2aRequest read_a2a_request(const RpcMessage &message, std::string_view version_header);
// Reads the version in a header; none if the header is empty. Throws A2aRefusal for an unsupported
// version.
std::optional<A2aVersion> read_a2a_version(std::string_view header);

// The message of a request that sends one, and the form of the reply.
struct A2aMessage {
    std::string id, context, task;
    A2aContent content;
    std::string agent, operation;  // from its metadata; may be empty
    bool waits = true;             // reply when the task ends
    A2aShape shape;
};

// Throws A2aRefusal.
A2aMessage read_a2a_message(const A2aRequest &request);

}  // namespace server
