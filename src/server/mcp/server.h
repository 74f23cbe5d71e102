// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our MCP server for one client: a process at the other end of pipes, or a session over HTTP
// (docs/mcp.md). It has neither a pipe nor a clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/http/json_rpc.h"
#include "server/mcp/tools.h"

namespace server {

class McpServer {
public:
    // The tools are shared with other clients, and outlive this.
    McpServer(McpTools &tools, McpClient client);

    // Handles a message of the client. Appends the messages to send, each a line of JSON: first the
    // notifications of a request, then its reply. Changes that a reply reports are durable.
    //
    // From revision 2026-07-28 on, each request contains its revision and is independent of others.
    // Before that, a client sends initialize first, and then uses the negotiated revision. Both
    // kinds may come in any order.
    void from_client(std::string_view json, int64_t now_ms, std::vector<std::string> &to_client);

    // The revision that initialize has negotiated; empty: not initialized.
    const std::string &protocol() const { return protocol_; }

    // Is this revision (of the header MCP-Protocol-Version) supported?
    static bool supports(std::string_view revision);
    // Are the requests of this revision independent of each other?
    static bool is_stateless(std::string_view revision);
    // The revision in the request itself; empty: it uses the one of initialize.
    static std::string revision_of(const RpcMessage &request);

private:
    // For how long, and for whom, a reply may be cached (2026-07-28).
    enum class CachePolicy { kNot, kForThisClient, kForAll };

    std::string answer(const RpcMessage &request);
    std::string answer_stateless(const RpcMessage &request, const std::string &revision);
    std::string answer_in_session(const RpcMessage &request);
    std::string dispatch(const RpcMessage &request);
    std::string result(const RpcMessage &request, const std::string &json,
                       CachePolicy policy) const;
    std::string one_page(const RpcMessage &request, const std::string &list) const;

    std::string initialize(const RpcMessage &request);
    std::string discover(const RpcMessage &request) const;
    std::string listen(const RpcMessage &request);
    std::string list_tools(const RpcMessage &request);
    std::string call_tool(const RpcMessage &request);
    std::string list_resources(const RpcMessage &request);
    std::string list_templates(const RpcMessage &request);
    std::string read_resource(const RpcMessage &request);
    std::string list_prompts(const RpcMessage &request);
    std::string get_prompt(const RpcMessage &request);
    std::string complete(const RpcMessage &request);
    std::string set_level(const RpcMessage &request);
    enum Level : int { kLogInfo = 1, kLogWarning = 3 };  // of syslog, the most severe last
    void send_progress(std::string_view token, uint64_t done, uint64_t total,
                       std::string_view what);
    void log(int level, const std::string &text);

    McpTools &tools_;
    McpClient client_;
    std::string protocol_;
    int session_level_;  // of log messages, set by logging/setLevel
    // of the current request
    bool is_stateless_request_ = false;
    int level_ = 0;
    int64_t now_ms_ = 0;
    std::vector<std::string> *to_client_ = nullptr;
};

}  // namespace server
