// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our MCP server, for one client: a process that speaks over pipes, or a session over HTTP
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

    // A message of the client. What is to be sent to it is added, each a line of JSON: the answer
    // to a request is there when this returns, after the notifications that belong to it. What an
    // answer says was changed is durable.
    //
    // From revision 2026-07-28 on each request says by itself which revision it is of, and nothing
    // is kept from one to the next; before, a client says initialize first, and then speaks the
    // revision that was agreed on. Both may come, in any order.
    void from_client(std::string_view json, int64_t now_ms, std::vector<std::string> &to_client);

    // The revision that initialize agreed on; empty: it was not said.
    const std::string &protocol() const { return protocol_; }

    // Is it a revision that is spoken here? Of HTTP's header MCP-Protocol-Version.
    static bool speaks(std::string_view revision);
    // Is it one whose requests stand for themselves?
    static bool is_stateless(std::string_view revision);
    // The revision that a request names by itself; empty: it is of the one of initialize.
    static std::string revision_of(const RpcMessage &request);

private:
    // For how long, and for whom, the answer to a request may be kept (2026-07-28).
    enum class Keep { kNot, kForThisClient, kForAll };

    std::string answer(const RpcMessage &request);
    std::string answer_alone(const RpcMessage &request, const std::string &revision);
    std::string answer_in_session(const RpcMessage &request);
    std::string dispatch(const RpcMessage &request);
    std::string result(const RpcMessage &request, const std::string &json, Keep keep) const;
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
    enum Level : int { kLogInfo = 1, kLogWarning = 3 };  // of syslog, the worst last
    void send_progress(std::string_view token, uint64_t done, uint64_t total,
                       std::string_view what);
    void log(int level, const std::string &text);

    McpTools &tools_;
    McpClient client_;
    std::string protocol_;
    int session_level_;  // of messages that the client is told since it asked for them
    // of the request that is being answered
    bool is_alone_ = false;
    int level_ = 0;
    int64_t now_ms_ = 0;
    std::vector<std::string> *to_client_ = nullptr;
};

}  // namespace server
