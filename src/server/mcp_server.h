// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our MCP server, for one client: a process that speaks over pipes, or a session over HTTP
// (docs/mcp.md). It has neither a pipe nor a clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/json_rpc.h"
#include "server/mcp_tools.h"

namespace server {

class McpServer {
public:
    // The tools are shared with other clients, and outlive this.
    McpServer(McpTools &tools, McpClient client);

    // A message of the client. What is to be sent to it is added, each a line of JSON: the answer
    // to a request is there when this returns, after the notifications that belong to it. What an
    // answer says was changed is durable.
    void from_client(std::string_view json, int64_t now_ms, std::vector<std::string> &to_client);

    // The revision of the protocol that was agreed on; empty: the client has not begun.
    const std::string &protocol() const { return protocol_; }

    // Is it a revision that is spoken here? Of HTTP's header MCP-Protocol-Version.
    static bool speaks(std::string_view revision);

private:
    // Of a request: the answer, whole.
    std::string answer(const RpcMessage &request);
    std::string initialize(const RpcMessage &request);
    std::string list_tools(const RpcMessage &request);
    std::string call_tool(const RpcMessage &request);
    std::string list_resources(const RpcMessage &request);
    std::string list_templates(const RpcMessage &request);
    std::string read_resource(const RpcMessage &request);
    std::string list_prompts(const RpcMessage &request);
    std::string get_prompt(const RpcMessage &request);
    std::string complete(const RpcMessage &request);
    std::string set_level(const RpcMessage &request);
    void tell_progress(std::string_view token, uint64_t done, uint64_t total,
                       std::string_view what);
    void log(int level, const std::string &text);

    McpTools &tools_;
    McpClient client_;
    std::string protocol_;
    int level_;  // of messages that the client is told
    int64_t now_ms_ = 0;
    std::vector<std::string> *to_client_ = nullptr;
};

}  // namespace server
