// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages of JSON-RPC 2.0, the base of MCP and A2A.
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
    kRpcHeaderMismatch = -32020,    // of MCP from 2026-07-28 on, like the next
    kRpcUnsupportedVersion = -32022,
};

// A message. Members are JSON, as views into `text`, and empty if missing. The method is a word
// without quotes.
struct RpcMessage {
    std::string text;  // the message as compact JSON
    std::string_view id;
    std::string_view method;  // empty: a response
    std::string_view params;
    std::string_view result, error;

    bool is_request() const { return !method.empty() && !id.empty(); }
    bool is_response() const { return method.empty(); }
};

// Returns false with the error reply in `refusal` if the text is not a message.
bool read_rpc(std::string_view text, RpcMessage &out, std::string &refusal);

std::string rpc_result(std::string_view id, std::string_view result);
// data: JSON, or empty.
std::string rpc_error(std::string_view id, RpcCode code, std::string_view message,
                      std::string_view data = {});
// Returns the code in a result of rpc_error(), 0 for other texts.
int rpc_error_code(std::string_view answer);
std::string rpc_notification(std::string_view method, std::string_view params);

}  // namespace server
