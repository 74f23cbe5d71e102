// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A request of A2A as JSON-RPC brings it, in either version, and the message in it.
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

    // A text of the params; empty: there is none. Throws A2aRefusal where it is no text.
    std::string text(std::string_view name) const;
    // A number from 0; none: there is none. Throws A2aRefusal.
    std::optional<uint64_t> number(std::string_view name) const;
    // How an answer is written.
    A2aShape shape() const;
};

// By the header A2A-Version and the method's name. Throws A2aRefusal.
A2aRequest read_a2a_request(const RpcMessage &message, std::string_view version_header);
// Which one a header names; an empty one is none. Throws A2aRefusal for one that is not spoken.
std::optional<A2aVersion> read_a2a_version(std::string_view header);

// The message of a request to send one, and how it is to be answered.
struct A2aMessage {
    std::string id, context, task;
    A2aContent content;
    std::string agent, operation;  // that its metadata names; empty: none
    bool waits = true;             // for the end
    A2aShape shape;
};

// Throws A2aRefusal.
A2aMessage read_a2a_message(const A2aRequest &request);

}  // namespace server
