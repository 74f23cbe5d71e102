// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON-RPC 2.0, of which MCP and A2A consist: one message in, one out.
#pragma once

#include <string>
#include <string_view>

namespace server {

enum RpcCode : int {
    kRpcParseError = -32700,
    kRpcInvalidRequest = -32600,
    kRpcMethodNotFound = -32601,
    kRpcInvalidParams = -32602,
    kRpcInternalError = -32603,
    kRpcResourceNotFound = -32002,  // of MCP up to 2025-11-25
    kRpcHeaderMismatch = -32020,    // of MCP from 2026-07-28 on, as the next
    kRpcUnsupportedVersion = -32022,
};

// A message. All are JSON, as views into `text`, and empty where it has none; the method is a word.
struct RpcMessage {
    std::string text;  // the message, compact
    std::string_view id;
    std::string_view method;  // empty: it is a response
    std::string_view params;
    std::string_view result, error;

    bool is_request() const { return !method.empty() && !id.empty(); }
    bool is_response() const { return method.empty(); }
};

// False: it is none, and `refusal` is what goes back.
bool read_rpc(std::string_view text, RpcMessage &out, std::string &refusal);

std::string rpc_result(std::string_view id, std::string_view result);
// data: JSON, or empty.
std::string rpc_error(std::string_view id, RpcCode code, std::string_view message,
                      std::string_view data = {});
// Of what rpc_error() made; 0: it is none.
int rpc_error_code(std::string_view answer);
std::string rpc_notification(std::string_view method, std::string_view params);

}  // namespace server
